"""Ends this process with SIGKILL in the middle of what it does to files."""

from __future__ import annotations

import os
import signal


class Killer:
    """Counts this process's file operations and ends it in one of them.

    The moment `before` is that of any of the operations, after one is before the next; `torn` is
    half of a write.
    """

    def __init__(self, turn: int, moment: str, operations: tuple[str, ...]) -> None:
        self.turn, self.moment, self.count = turn, moment, 0
        for name in ("write",) if moment == "torn" else operations:
            setattr(os, name, self.counted(getattr(os, name)))

    def counted(self, operation):
        def run(*arguments, **named):
            self.count += 1
            if self.count != self.turn:
                return operation(*arguments, **named)
            if self.moment == "torn":
                descriptor, data = arguments
                operation(descriptor, data[: len(data) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
            return None

        return run
