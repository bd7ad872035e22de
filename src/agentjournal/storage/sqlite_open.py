"""How a connection to a SQLite file is opened: every switch that guards the data."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

import apsw

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.system.lock import ProcessLock

__all__ = ["SqliteFile", "file_uri", "open_memory"]

_PRAGMAS = {
    "wal_autocheckpoint": 0,
    "fullfsync": 1,
    "checkpoint_fullfsync": 1,
    "secure_delete": 1,
    "temp_store": "MEMORY",
    "trusted_schema": 0,
    "cell_size_check": 1,
    "case_sensitive_like": 1,
    "query_only": 1,  # until a transaction, which holds the queue, says otherwise
}
_FLAGS = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI


@dataclass(frozen=True, kw_only=True)
class SqliteFile:
    """One database file and how it is opened; `busy_wait` is in seconds."""

    path: Path
    queue: ProcessLock
    busy_wait: float
    journal: str
    synchronous: str
    vfs: str | None

    def connect(self) -> apsw.Connection:
        """Open a connection; a new file gets mode 0600 and its folder, if new, 0700."""
        if not self.path.exists():
            self._create()
        connection = apsw.Connection(file_uri(self.path), flags=_FLAGS, vfs=self.vfs)
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        connection.set_busy_timeout(int(self.busy_wait * 1000))
        if connection.pragma("journal_mode") != self.journal:
            with self.queue.hold(self.busy_wait):
                connection.pragma("journal_mode", self.journal)
        connection.pragma("synchronous", self.synchronous)
        return _guarded(connection)

    def log_bytes(self) -> int:
        """Give the size of the write-ahead log."""
        try:
            return self.path.with_name(self.path.name + "-wal").stat().st_size
        except FileNotFoundError:
            return 0

    def checkpoint(self, connection: apsw.Connection) -> None:
        """Move the write-ahead log into the file and empty it, unless a reader still needs it."""
        connection.set_busy_timeout(0)  # a long read must not hold up the queue
        with contextlib.suppress(apsw.BusyError):
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        connection.set_busy_timeout(int(self.busy_wait * 1000))

    def _create(self) -> None:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self.queue.hold(self.busy_wait):
            uri = file_uri(self.path, mode_of=self.queue.path)
            apsw.Connection(uri, flags=_FLAGS, vfs=self.vfs).close()


def open_memory() -> apsw.Connection:
    """Open a store that lives in this process only."""
    return _guarded(apsw.Connection(":memory:"))


def file_uri(path: Path, *, mode_of: Path | None = None) -> str:
    """Name a database file so that a new one gets the permissions of `mode_of`."""
    return f"file:{quote(str(path))}" + (f"?modeof={quote(str(mode_of))}" if mode_of else "")


def _guarded(connection: apsw.Connection) -> apsw.Connection:
    for name, value in _PRAGMAS.items():
        connection.pragma(name, value)
    return connection
