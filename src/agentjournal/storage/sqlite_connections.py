"""Connections to one SQLite file: one a thread, none across a fork."""

from __future__ import annotations

import contextlib
import os
import threading
import weakref
from typing import TYPE_CHECKING

import apsw

from agentjournal.errors import StoreUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Connections"]


class Connections:
    """Gives each thread its connection, and closes all that rest before a fork.

    SQLite's tables of locks are inherited by a forked child, which would then believe in locks
    that it does not have: dropping the connection in the child is not enough.
    """

    def __init__(self, connect: Callable[[], apsw.Connection], *, is_shared: bool) -> None:
        self._connect = connect
        self._is_shared = is_shared
        self._open: dict[int, apsw.Connection] = {}
        self._pid = os.getpid()
        if not is_shared:
            resting = weakref.WeakMethod(self.close_resting)
            os.register_at_fork(before=lambda: (close := resting()) and close())

    def mine(self) -> apsw.Connection:
        """Give this thread's connection (the only one, where they share it).

        Raises:
            StoreUnavailableError: a connection was in use while this process was forked.
        """
        if os.getpid() != self._pid:
            self._adopt()
        key = self._key()
        if key not in self._open:
            self._open[key] = self._connect()
        return self._open[key]

    def drop(self) -> None:
        """Close this thread's connection: after a failed commit its handle is not used again."""
        if connection := self._open.pop(self._key(), None):
            connection.close(True)  # by force: what it has to say no longer matters

    def close(self) -> None:
        """Close every connection."""
        while self._open:
            self._open.popitem()[1].close()

    def close_resting(self) -> None:
        """Close every connection that no block uses now."""
        for key, connection in list(self._open.items()):
            with contextlib.suppress(apsw.Error):
                if not connection.in_transaction:
                    connection.close()
                    del self._open[key]

    def _key(self) -> int:
        return 0 if self._is_shared else threading.get_ident()

    def _adopt(self) -> None:
        if self._open and not self._is_shared:
            raise StoreUnavailableError(
                "This process was forked while the store was in use.",
                next="Start other programs with exec, or fork outside of a transaction.",
            )
        self._pid = os.getpid()
