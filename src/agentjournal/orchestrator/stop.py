"""A request to stop, taken while work is under way, so that the work ends with its record written."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

__all__ = ["StopRequest"]

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopRequest:
    """Remembers the first signal that asked us to stop, and hands every request on."""

    def __init__(self) -> None:
        self.number: int | None = None
        self._is_asked = threading.Event()
        self._pass_on: Callable[[], object] | None = None

    @contextmanager
    def watched(self) -> Iterator[StopRequest]:
        """Take the stopping signals for the length of the block (in the main thread; elsewhere none)."""
        if threading.current_thread() is not threading.main_thread():
            yield self
            return
        before = {number: signal.signal(number, self._take) for number in STOPPING}
        try:
            yield self
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    @contextmanager
    def passed_to(self, end: Callable[[], object]) -> Iterator[None]:
        """Hand a request that came or comes to `end`, which runs in a thread of its own."""
        self._pass_on = end
        if self.number is not None:
            self._start(end)
        try:
            yield
        finally:
            self._pass_on = None

    def ask(self, number: int) -> None:
        """Ask to stop, as the signal of that number does."""
        if self.number is None:
            self.number = number
        self._is_asked.set()
        if self._pass_on is not None:
            self._start(self._pass_on)

    def wait(self, seconds: float) -> None:
        """Wait so long, or until somebody asks to stop."""
        self._is_asked.wait(seconds)

    def _take(self, number: int, _frame: FrameType | None) -> None:
        self.ask(number)

    @staticmethod
    def _start(end: Callable[[], object]) -> None:
        threading.Thread(target=end, daemon=True).start()
