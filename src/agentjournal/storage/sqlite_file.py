"""One SQLite file: where it lies, how it is opened, when its log is emptied."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

import apsw

from agentjournal.errors import StoreUnavailableError
from agentjournal.storage.network_fs import network_type
from agentjournal.storage.sqlite_guards import guard
from agentjournal.storage.sqlite_new import make_file, sync_folder
from agentjournal.system.lock import ProcessLock

__all__ = ["SqliteFile", "sqlite_file"]

_LOG_BYTES = 4 * 1024 * 1024


class _FileConnection(apsw.Connection):
    """A connection that knows which file it was opened for."""

    identity: tuple[int, int] | None = None


@dataclass(frozen=True, kw_only=True)
class SqliteFile:
    """One database file and how it is opened; `busy_wait` is in seconds."""

    path: Path
    queue: ProcessLock
    busy_wait: float
    journal: str
    synchronous: str
    vfs: str | None
    is_shared = False

    @property
    def location(self) -> str:
        """Give the path as text."""
        return str(self.path)

    def connect(self) -> apsw.Connection:
        """Open a connection; a new file gets mode 0600 and its folder, if new, 0700."""
        if not self.path.exists():
            self._create()
        identity = self._identity()
        connection = _FileConnection(self.location, vfs=self.vfs)
        connection.identity = identity
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        connection.set_busy_timeout(int(self.busy_wait * 1000))
        if connection.pragma("journal_mode") != self.journal:  # one that was not made here
            with self.queue.hold(self.busy_wait):
                connection.pragma("journal_mode", self.journal)
        connection.pragma("synchronous", self.synchronous)
        return guard(connection)

    def is_gone(self, connection: apsw.Connection) -> bool:
        """Say whether the file was removed or replaced since the connection was opened."""
        opened = connection.identity if isinstance(connection, _FileConnection) else None
        return opened != self._identity()

    def checkpoint_if_long(self, connection: apsw.Connection) -> None:
        """Move a long write-ahead log into the file and empty it, unless a reader needs it."""
        if self._log_bytes() <= _LOG_BYTES:
            return
        connection.set_busy_timeout(0)  # a long read must not hold up the queue
        with contextlib.suppress(apsw.BusyError):
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        connection.set_busy_timeout(int(self.busy_wait * 1000))

    def _create(self) -> None:
        """Make the file under another name, so that nobody ever meets it half made."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self.queue.hold(self.busy_wait):
            if self.path.exists():
                return
            made = self.path.with_name(f"{self.path.name}.new")
            for left in made.parent.glob(f"{made.name}*"):  # by one that died here
                left.unlink()
            make_file(made, journal=self.journal, vfs=self.vfs)
            made.rename(self.path)
            sync_folder(self.path.parent)

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        return found.st_dev, found.st_ino

    def _log_bytes(self) -> int:
        try:
            return self.path.with_name(self.path.name + "-wal").stat().st_size
        except FileNotFoundError:
            return 0


def sqlite_file(
    path: str, *, busy_wait: float, durable: bool, allow_network_fs: bool, vfs: str | None
) -> SqliteFile:
    """Decide how the file is opened: by its real path, so that all its writers share one queue.

    Raises:
        StoreUnavailableError: it lies on a network file system, and that was not allowed.
    """
    real = Path(os.path.realpath(path))
    kind = network_type(real)
    if kind and not allow_network_fs:
        raise StoreUnavailableError(
            f"{real} lies on a network file system ({kind}): a store there gets damaged.",
            next="Name a path on a local disk or a postgresql:// URL, or give --allow-network-fs.",
        )
    return SqliteFile(
        path=real,
        queue=ProcessLock(real.with_suffix(".queue")),
        busy_wait=busy_wait,
        journal="delete" if kind else "wal",  # no shared memory there
        synchronous=("EXTRA" if kind else "FULL") if durable else "NORMAL",
        vfs=vfs,
    )
