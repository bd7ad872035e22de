"""A review as text: a table in Markdown, and a line for each figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.engmem.review.told import COLUMNS, tell

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agentjournal.engmem.review.review import Review

__all__ = ["rendered"]


def rendered(found: Review) -> str:
    """Render a review; the last column is left to a person where a row counts."""
    return "\n".join(_lines(found))


def _lines(found: Review) -> Iterator[str]:
    told = tell(found)
    yield f"Primary endpoint {told.verdict}"
    if found.since:
        yield f"Searches and costs since {found.since}."
    if told.table:
        yield ""
        yield _row(COLUMNS)
        yield _row(["---"] * len(COLUMNS))
        yield from (_row(cells) for cells in told.table)
    for heading, lines in told.parts.items():
        yield f"\n{heading}"
        yield from (f"- {line}" for line in lines)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '¦') for cell in cells)} |"
