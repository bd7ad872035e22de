"""Whether a Reuse Log has the shape that reviews count by; what it claims is not looked at here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.engmem.kept_version import is_version
from agentjournal.engmem.review.reuse_row import (
    CLASSIFICATIONS,
    COLUMNS,
    NONE_LINE,
    reuse_rows,
    says_none,
)
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.engmem.review.reuse_row import ReuseRow

__all__ = ["shape_faults"]

_TABLE = f"| {' | '.join(COLUMNS)} |"
_SHOWN = 200  # bytes of a row that a fault repeats
_NAMED = 20  # faults


def shape_faults(text: str) -> list[str]:
    """Say what is wrong with each row of a Reuse Log; nothing where all can be counted."""
    rows = reuse_rows(text)
    headings = [line for line in text.split("\n") if _is_wrong_heading(line)]
    if headings:
        return [_fault(f"columns must be {_TABLE} in this order", line) for line in headings]
    if not rows and not says_none(text):
        return [f"a Reuse Log needs rows of {_TABLE}, or exactly the line `{NONE_LINE}`"]
    return [_fault(said, row.text) for row in rows for said in _row_faults(row)][:_NAMED]


def _is_wrong_heading(line: str) -> bool:
    cells = tuple(cell.strip().casefold() for cell in line.strip().strip("|").split("|"))
    return len(set(cells) & set(COLUMNS)) > 1 and COLUMNS[0] in cells and cells != COLUMNS


def _row_faults(row: ReuseRow) -> Iterator[str]:
    _, at, version = row.cited.rpartition("@")
    if at and not is_version(version):
        yield "the version behind the @ must be 16 hex digits, as `cite as` shows it"
    if not row.quotes:
        yield "the cell `taken` needs a quoted span of four or more characters"
    if row.classification.casefold() not in CLASSIFICATIONS:
        yield f"the fourth cell, classification, must be one of {', '.join(CLASSIFICATIONS)}"


def _fault(said: str, line: str) -> str:
    return f"{said}: {one_line(line, _SHOWN)}"
