"""What a person at a terminal is told beside an answer: files that were not loaded or lost values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.engmem.strays import Strays
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.engmem.index.store_index import StoreIndex

__all__ = ["warnings"]

NAMED = 20  # files; a store in disorder must not fill a terminal at each search
LINE = 500  # bytes


def warnings(index: StoreIndex, root: Path) -> list[str]:
    """Give a line for each file that failed or was read with faults, and one for stray files."""
    failed = [f"error: {each.file}: {each.reason}" for each in index.failures]
    faulty = [f"warning: {file}: {fault}" for file, faults in index.degraded for fault in faults]
    told = [one_line(line, LINE) for line in (failed + faulty)[:NAMED]]
    more = len(failed) + len(faulty) - len(told)
    strays = Strays(index.strays).warning(root)
    return [
        *told,
        *([f"warning: +{more} more of these"] if more else []),
        *([one_line(f"warning: {strays}", LINE)] if strays else []),
    ]
