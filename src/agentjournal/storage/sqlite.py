"""The store in one SQLite file, written by one process at a time."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from agentjournal.errors import OutcomeUnknownError, StoreBusyError
from agentjournal.storage.block import OneBlock
from agentjournal.storage.memory_queue import MemoryQueue
from agentjournal.storage.sqlite_backup import copy_into
from agentjournal.storage.sqlite_connections import Connections
from agentjournal.storage.sqlite_errors import translated
from agentjournal.storage.sqlite_open import SqliteFile, open_memory
from agentjournal.storage.sqlite_session import SqliteSession
from agentjournal.system.lock import ProcessLock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.storage.database import Engine, Row, Value
    from agentjournal.storage.statement import Statement
    from agentjournal.system.clock import Clock

__all__ = ["Sqlite"]

_WAL_BYTES = 4 * 1024 * 1024


class Sqlite:
    """One SQLite file, or `:memory:`, behind the storage seam.

    `busy_wait` is in seconds. `durable=False` is for measurements: a power cut may lose the newest.
    `vfs` names a registered VFS (fault tests).

    Raises:
        StoreUnavailableError: the file lies on a network file system.
    """

    engine: Engine = "sqlite"

    def __init__(  # noqa: PLR0913 - switches, each named where it is used
        self,
        path: str,
        *,
        clock: Clock | None = None,
        busy_wait: float = 10.0,
        durable: bool = True,
        allow_network_fs: bool = False,
        vfs: str | None = None,
    ) -> None:
        del allow_network_fs
        self._clock = clock
        self._busy_wait = busy_wait
        self._block = OneBlock()
        self._queue: ProcessLock | MemoryQueue
        if path == ":memory:":
            self.location = path
            self._file = None
            self._queue = MemoryQueue()
            self._connections = Connections(open_memory, is_shared=True)
            return
        self.location = os.path.realpath(path)  # one queue, by whatever link it was named
        self._queue = ProcessLock(Path(self.location).with_suffix(".queue"))
        self._file = SqliteFile(
            path=Path(self.location),
            queue=self._queue,
            busy_wait=busy_wait,
            journal="wal",
            synchronous="FULL" if durable else "NORMAL",
            vfs=vfs,
        )
        self._connections = Connections(self._file.connect, is_shared=False)

    def rows(self, statement: Statement, /, **values: Value) -> list[Row]:
        """Give every row of one reading statement, outside of any transaction."""
        with self._block.opened(), self._reading() as connection:
            return self._session(connection).rows(statement, **values)

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[SqliteSession]:
        """Open a reader whose reads all see the same state."""
        with self._block.opened(), self._reading() as connection:
            with translated(self.location):
                connection.execute("BEGIN")
                connection.pragma("schema_version")  # the first read fixes the state
            try:
                yield self._session(connection)
            finally:
                self._roll_back(connection)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[SqliteSession]:
        """Open the write transaction, queued behind every other writer of the store."""
        with self._block.opened(), self._writing() as connection:
            session = self._session(connection)
            with translated(self.location):
                connection.execute("BEGIN IMMEDIATE")
            try:
                yield session
                session.check()
            except BaseException:
                self._roll_back(connection)
                raise
            self._commit(connection)
            self._checkpoint_if_long(connection)

    @contextlib.contextmanager
    def migration(self) -> Iterator[SqliteSession]:
        """Open the write transaction of migrations: the queue makes it the only one."""
        with self.transaction() as session:
            yield session

    def backup(self, target: str, /) -> None:
        """Write a consistent copy to a new file of mode 0600, and let it reach the disk."""
        with self._block.opened(), self._reading() as connection:
            copy_into(connection, target)

    def compact(self) -> None:
        """Overwrite what was deleted and give its room back, in the write-ahead log too."""
        with self._block.opened(), self._writing() as connection, translated(self.location):
            connection.execute("VACUUM")
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)

    def facts(self) -> dict[str, str]:
        """Say what a doctor wants to know."""
        names = ("journal_mode", "synchronous", "secure_delete", "fullfsync", "page_count")
        with self._block.opened(), self._reading() as connection:
            settings = {name: str(connection.pragma(name)) for name in names}
        return {"engine": "sqlite", "version": apsw.sqlite_lib_version(), **settings}

    def close(self) -> None:
        """Close every connection of this process; the write-ahead log stays as it is."""
        self._connections.close()

    def _session(self, connection: apsw.Connection) -> SqliteSession:
        return SqliteSession(connection, self._clock, self.location)

    @contextlib.contextmanager
    def _reading(self) -> Iterator[apsw.Connection]:
        """Give a connection that reads: alone where the store lives in memory."""
        with self._queued() if self._file is None else contextlib.nullcontext():
            yield self._connection()

    @contextlib.contextmanager
    def _writing(self) -> Iterator[apsw.Connection]:
        """Give a connection that may write, for as long as the queue is held."""
        connection = self._connection()
        with self._queued():
            connection.pragma("query_only", False)
            try:
                yield connection
            finally:
                with contextlib.suppress(apsw.ConnectionClosedError):
                    connection.pragma("query_only", True)

    @contextlib.contextmanager
    def _queued(self) -> Iterator[None]:
        with contextlib.ExitStack() as held:
            with translated(self.location):
                held.enter_context(self._queue.hold(self._busy_wait))
            yield

    def _connection(self) -> apsw.Connection:
        with translated(self.location):
            return self._connections.mine()

    def _roll_back(self, connection: apsw.Connection) -> None:
        with contextlib.suppress(apsw.Error):
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        if connection.in_transaction:
            self._connections.drop()

    def _commit(self, connection: apsw.Connection) -> None:
        try:
            connection.execute("COMMIT")
        except apsw.BusyError as error:
            self._roll_back(connection)
            raise StoreBusyError(f"{error} ({self.location}).", next="Try again.") from error
        except apsw.Error as error:
            self._connections.drop()  # a failed sync is never tried again on the same handle
            raise OutcomeUnknownError(
                f"The commit failed: {error} ({self.location}).",
                next="Try again with the same id: what is stored already is not stored twice.",
            ) from error

    def _checkpoint_if_long(self, connection: apsw.Connection) -> None:
        """Empty a long write-ahead log; what hinders that is left to the next writer.

        The transaction is stored by now, so nothing here may fail it.
        """
        if self._file is None or self._file.log_bytes() <= _WAL_BYTES:
            return
        try:
            self._file.checkpoint(connection)
        except apsw.Error:
            self._connections.drop()
