"""How far a new index is, on standard error: never on the wire."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.engmem.index.refresh import Listener

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["listener"]

STEP = 1_000  # files between two lines


def listener(tell: Callable[[str], object]) -> Listener:
    """Tell of every thousandth file, and of what the user should know."""

    def note(text: str) -> None:
        tell(f"engmem-mcp: {text}\n")

    def progress(done: int, total: int) -> None:
        if done and done % STEP == 0:
            tell(f"engmem-mcp: {done} of {total} documents read\n")

    return Listener(progress=progress, note=note)
