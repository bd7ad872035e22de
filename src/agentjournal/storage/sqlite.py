"""The store in one SQLite file, written by one process at a time."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import apsw

from agentjournal.errors import OutcomeUnknownError
from agentjournal.storage.block import OneBlock
from agentjournal.storage.sqlite_backup import copy_into
from agentjournal.storage.sqlite_connections import Connections
from agentjournal.storage.sqlite_errors import store_error, translated
from agentjournal.storage.sqlite_file import SqliteFile, sqlite_file
from agentjournal.storage.sqlite_memory import SqliteMemory
from agentjournal.storage.sqlite_session import SqliteSession

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.storage.database import Engine, Row, Value
    from agentjournal.storage.statement import Statement
    from agentjournal.system.clock import Clock

__all__ = ["Sqlite", "linked_version"]

_RESET_FAULT_FIXED = (3, 51, 3)


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
        self._clock = clock
        self._busy_wait = busy_wait
        self._block = OneBlock()
        self._is_in_doubt = False  # whether a commit failed and may be in the log all the same
        self._place: SqliteFile | SqliteMemory = SqliteMemory()
        if path != ":memory:":
            self._place = sqlite_file(
                path,
                busy_wait=busy_wait,
                durable=durable,
                allow_network_fs=allow_network_fs,
                vfs=vfs,
            )
        self.location = self._place.location
        self._connections = Connections(self._place.connect, is_shared=self._place.is_shared)

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
            yield self._session(connection)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[SqliteSession]:
        """Open the write transaction, queued behind every other writer of the store."""
        with self._block.opened(), self._writing() as connection:
            with translated(self.location):
                connection.execute("BEGIN IMMEDIATE")
            session = self._session(connection)
            yield session
            session.check()
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
        version, fault = linked_version()
        return {"engine": "sqlite", "version": version, "wal_reset_fault": fault, **settings}

    def close(self) -> None:
        """Close every connection of this process; the write-ahead log stays as it is."""
        self._connections.close()

    def _session(self, connection: apsw.Connection) -> SqliteSession:
        return SqliteSession(connection, self._clock, self.location)

    @contextlib.contextmanager
    def _reading(self) -> Iterator[apsw.Connection]:
        """Give a connection that reads: alone where the store lives in memory."""
        with self._queued() if self._place.is_shared else contextlib.nullcontext():
            connection = self._connection()
            try:
                yield connection
            finally:
                self._rest(connection)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[apsw.Connection]:
        """Give a connection that may write, for as long as the queue is held."""
        connection = self._connection()
        with self._queued():
            connection.pragma("query_only", False)
            try:
                yield connection
            finally:
                self._rest(connection)

    def _rest(self, connection: apsw.Connection) -> None:
        """End whatever was not committed and go back to reading, or close the connection."""
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            connection.pragma("query_only", True)
        except apsw.Error:
            self._connections.drop()

    @contextlib.contextmanager
    def _queued(self) -> Iterator[None]:
        with contextlib.ExitStack() as held:
            with translated(self.location):
                held.enter_context(self._place.queue.hold(self._busy_wait))
            yield

    def _connection(self) -> apsw.Connection:
        if self._is_in_doubt:
            self._settle()
        with translated(self.location):
            return self._connections.mine()

    def _settle(self) -> None:
        """Bring what a failed commit left into the file, before anybody takes it for stored.

        After a failed sync the log's newest pages may be readable and yet on no device; here they
        are written anew, to another file, and synced there.
        """
        with self._queued(), translated(self.location):
            self._connections.mine().wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_FULL)
        self._is_in_doubt = False

    def _commit(self, connection: apsw.Connection) -> None:
        try:
            connection.execute("COMMIT")
        except apsw.BusyError as error:
            raise store_error(error, self.location) from error
        except apsw.Error as error:
            self._connections.drop()  # a failed sync is never tried again on the same handle
            self._is_in_doubt = not self._place.is_shared
            raise OutcomeUnknownError(
                f"The commit failed: {error} ({self.location}).",
                next="Look at the disk, then try again with the same id: nothing is stored twice.",
            ) from error

        if self._place.is_gone(
            connection
        ):  # an open file outlives its name: nobody would find this
            self._connections.drop()
            raise OutcomeUnknownError(
                f"The database's file was removed or replaced meanwhile ({self.location}).",
                next="See who did that, then try again with the same id: nothing is stored twice.",
            )

    def _checkpoint_if_long(self, connection: apsw.Connection) -> None:
        """Empty a long write-ahead log; what hinders that is left to the next writer.

        The transaction is stored by now, so nothing here may fail it.
        """
        try:
            self._place.checkpoint_if_long(connection)
        except apsw.Error:
            self._connections.drop()


def linked_version() -> tuple[str, str]:
    """Give the version of the SQLite that apsw brings; is its write-ahead log `fixed` or `affected`?"""
    version = apsw.sqlite_lib_version()
    is_fixed = tuple(map(int, version.split("."))) >= _RESET_FAULT_FIXED
    return version, "fixed" if is_fixed else "affected"
