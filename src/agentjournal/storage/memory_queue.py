"""The queue of a store that lives in this process only."""

from __future__ import annotations

import contextlib
import os
import threading
from typing import TYPE_CHECKING

from agentjournal.errors import StoreBusyError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MemoryQueue"]


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
            raise StoreBusyError(f"store busy, held by pid {os.getpid()} (:memory:).")
        try:
            yield
        finally:
            self._lock.release()
