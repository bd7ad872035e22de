"""A SQLite store that lives in this process only."""

from __future__ import annotations

import contextlib
import os
import threading
from typing import TYPE_CHECKING

import apsw

from agentjournal.errors import StoreBusyError
from agentjournal.storage.sqlite_guards import guard

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MemoryQueue", "SqliteMemory"]


class MemoryQueue:
    """Lets one thread at a time through."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def hold(self, timeout: float) -> Iterator[None]:
        """Hold the store for the block; wait at most so many seconds for it.

        Raises:
            StoreBusyError: another thread held it for the whole wait.
        """
        if not self._lock.acquire(timeout=timeout):
            raise StoreBusyError(
                f"store busy, held by pid {os.getpid()} (:memory:).", next="Try again."
            )
        try:
            yield
        finally:
            self._lock.release()


class SqliteMemory:
    """One connection, which all threads take turns on."""

    location = ":memory:"
    is_shared = True

    def __init__(self) -> None:
        self.queue = MemoryQueue()
        self._connection = guard(apsw.Connection(":memory:"))

    def connect(self) -> apsw.Connection:
        """Give the one connection: a second one would be another store."""
        return self._connection

    def is_gone(self, connection: apsw.Connection) -> bool:
        """Say no: there is no file."""
        return connection is not self._connection

    def checkpoint_if_long(self, connection: apsw.Connection) -> None:
        """Do nothing: there is no log."""
