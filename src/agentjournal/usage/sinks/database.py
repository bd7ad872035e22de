"""Writes observed calls to the measurement file, in batches, from a thread of its own."""

from __future__ import annotations

import atexit
import queue
import threading
from typing import TYPE_CHECKING

from agentjournal.errors import StoreError
from agentjournal.usage.guard import guarded

if TYPE_CHECKING:
    from agentjournal.usage.call import Break, Call
    from agentjournal.usage.measurements import Measurements

__all__ = ["DatabaseSink"]

_BATCH = 256


class DatabaseSink:
    """Takes calls without waiting; where more wait than `capacity`, the newest are dropped and counted."""

    def __init__(self, measurements: Measurements, *, capacity: int = 10_000) -> None:
        self._measurements = measurements
        self._waiting: queue.Queue[Call | Break | threading.Event] = queue.Queue(capacity)
        self._started = threading.Lock()
        self._thread: threading.Thread | None = None
        self.dropped = 0

    def __call__(self, call: Call | Break) -> None:
        """Queue one call, or one break."""
        self._start()
        try:
            self._waiting.put_nowait(call)
        except queue.Full:
            self.dropped += 1

    def flush(self, timeout: float = 10.0) -> bool:
        """Wait until everything queued so far is stored; False where it took longer."""
        if self._thread is None:
            return True
        done = threading.Event()
        try:
            self._waiting.put(done, timeout=timeout)
        except queue.Full:
            return False
        return done.wait(timeout)

    def _start(self) -> None:
        with self._started:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, daemon=True, name="usage")
                self._thread.start()
                atexit.register(self.flush, 2.0)

    def _work(self) -> None:
        while True:
            batch = [self._waiting.get()]
            while len(batch) < _BATCH and not self._waiting.empty():
                batch.append(self._waiting.get_nowait())
            self._store([each for each in batch if not isinstance(each, threading.Event)])
            for each in batch:
                if isinstance(each, threading.Event):
                    each.set()

    def _store(self, rows: list[Call | Break]) -> None:
        """Store the rows together; where one of them is broken, each for itself."""
        try:
            self._measurements.store(rows)
        except StoreError:
            self.dropped += len(rows)
        except Exception:  # noqa: BLE001 - a row that cannot be written, such as half a character
            for row in rows:
                with guarded():
                    self._measurements.store([row])
