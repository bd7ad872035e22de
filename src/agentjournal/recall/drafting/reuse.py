"""The Reuse Log of a draft: what workers said that they took from past documents, with their quotes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.engmem.review.reuse_row import COLUMNS, NONE_LINE, SHORTEST_QUOTE
from agentjournal.execution.citation import quoted_line
from agentjournal.text.visible import is_hidden, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agentjournal.recall.drafting.material import Material

__all__ = ["Cite", "reuse_log", "reused_documents"]

if TYPE_CHECKING:
    Cite = Callable[[str, str], str]  # of an id and a quote: the id, with the version that holds it

ROWS = 40
_CELL = 400  # bytes
_MARKS = ('""', "\u201c\u201d", "\u00ab\u00bb")


def reuse_log(material: Material, cite: Cite) -> str:
    """Write the section: a row for each quote, or the line that says none.

    What was taken without a quote that can stand in a row is counted below.
    """
    told = _told(material)
    rows = [row for each in told if (row := _row(*each, cite))]
    if not told:
        return NONE_LINE
    lines = [_cells(COLUMNS), _cells(["---"] * len(COLUMNS)), *rows[:ROWS]]
    if left := len(told) - min(len(rows), ROWS):
        lines += ["", f"{left} more were reported; they are in the log."]
    return "\n".join(lines)


def reused_documents(material: Material) -> tuple[str, ...]:
    """Give the ids of the documents that were taken from, once each, in their order."""
    ids = (document.rpartition("@")[0] or document for document, _, _ in _told(material))
    return tuple(dict.fromkeys(ids))


def _told(material: Material) -> list[tuple[str, str, str]]:
    found = (
        (each["document"].strip(), " ".join(each["quote"].split()), each["impact"])
        for close in material.closes
        for each in close.texts("reused")
    )
    return list({each[:2]: each for each in found}.values())


def _row(document: str, quote: str, impact: str, cite: Cite) -> str:
    """Write a row; of a quote with a bar, or what a reader cannot see, its longest part stands there."""
    bare = "".join("|" if is_hidden(each) else each for each in quote)
    part = max(bare.split("|"), key=len).strip()
    marks = next((each for each in _MARKS if not set(each) & set(part)), None)
    if marks is None or len(part) < SHORTEST_QUOTE:
        return ""
    taken = f"{marks[0]}{part}{marks[1]}"
    return _cells(
        [one_line(cite(document, part), _CELL), taken, quoted_line(impact, _CELL), "reuse"]
    )


def _cells(cells: Iterator[str] | list[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"
