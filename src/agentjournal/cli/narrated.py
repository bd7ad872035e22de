"""What an index tells a person at the terminal while it is made."""

from __future__ import annotations

import sys
from time import monotonic
from typing import TYPE_CHECKING

from agentjournal.cli.output import write

if TYPE_CHECKING:
    from agentjournal.engmem.index.refresh import Listener

__all__ = ["narrated"]

PATIENCE = 1.0  # seconds without a word, and between two


def narrated() -> Listener:
    """Tell on stderr, past one second, how many documents of how many were read."""
    from agentjournal.engmem.index.refresh import Listener

    told = monotonic()

    def progress(done: int, total: int) -> None:
        nonlocal told
        if monotonic() - told > PATIENCE:
            told = monotonic()
            write(sys.stderr, f"reading documents for the index: {done:,} of {total:,}")

    return Listener(progress, lambda text: write(sys.stderr, f"note: {text}"))
