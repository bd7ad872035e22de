"""What a person at a terminal is told beside an answer: files that were not loaded or lost values."""

from __future__ import annotations

from agentjournal.engmem.strays import Strays
from agentjournal.text.visible import one_line
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from agentjournal.engmem.header import Header
    from agentjournal.engmem.index.store_index import StoreIndex

__all__ = ["warnings"]

NAMED = 20  # files; a store in disorder must not fill a terminal at each search
LINE = 500  # bytes


def warnings(index: StoreIndex, root: Path, shown: Iterable[Header]) -> list[str]:
    """Give a line for each file that failed or was read with faults, and one for stray files.

    What is odd in a document, but lost nothing, is told where it is shown: it costs no search.
    """
    if index.scan_error:
        return [one_line(f"error: {index.scan_error}", LINE)]
    failed = [f"error: {each.file}: {each.reason}" for each in index.failures]
    faulty = [f"warning: {file}: {fault}" for file, faults in index.degraded for fault in faults]
    odd = [f"warning: {each.file}: {what}" for each in shown for what in each.warnings]
    lines = failed + faulty + odd
    told = [one_line(line, LINE) for line in lines[:NAMED]]
    more = len(lines) - len(told)
    unused = index.synonyms_error
    strays = Strays(index.strays).warning(root)
    return [
        *told,
        *([f"warning: +{more} more of these"] if more else []),
        *([one_line(f"warning: synonyms.yml is not used: {unused}", LINE)] if unused else []),
        *([one_line(f"warning: {strays}", LINE)] if strays else []),
    ]
