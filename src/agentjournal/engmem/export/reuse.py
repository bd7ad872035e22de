"""The Reuse Log of a document, which quotes others: its content stays in the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.engmem.export.span import Span
from agentjournal.engmem.heading import headings, without_ordinal
from agentjournal.engmem.role import role_of

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["NONE", "reuse_logs"]

NONE = "Prior docs used: none."


def reuse_logs(body: str) -> Iterator[Span]:
    """Find what stands below each heading of that role, unless it is exactly the line of none."""
    lines = body.split("\n")
    starts = _starts(lines)
    marks = headings(lines)
    for at, mark in enumerate(marks):
        if role_of(without_ordinal(mark.text)) != "reuse":
            continue
        end = next((each.line for each in marks[at + 1 :] if each.level <= mark.level), len(lines))
        start, stop = starts[mark.below], max(starts[mark.below], starts[end] - 1)
        content = body[start:stop]
        if content.strip() not in {"", NONE}:
            lead = len(content) - len(content.lstrip())
            yield Span(start + lead, start + len(content.rstrip()), "Reuse Log")


def _starts(lines: list[str]) -> list[int]:
    """Give where each line begins, and where one more would."""
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    return starts
