"""One open block a thread: a second one inside it would see another state on each engine."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING

from agentjournal.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["OneBlock"]


class OneBlock(threading.local):
    """Knows whether this thread stands inside a snapshot or transaction of one store."""

    is_open = False

    def check(self) -> None:
        """Refuse what would step out of the open block.

        Raises:
            StoreError: a block is open in this thread.
        """
        if self.is_open:
            raise StoreError(
                "A snapshot or transaction of this thread is still open.",
                next="Read and write through what that block gave.",
            )

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        """Be the open block of this thread."""
        self.check()
        self.is_open = True
        try:
            yield
        finally:
            self.is_open = False
