"""What is ruled out for a task, within its share: an option whole or counted, reasons cut first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.execution.citation import quoted_line
from agentjournal.execution.layout import Item, Part
from agentjournal.text.bounded import size

if TYPE_CHECKING:
    from agentjournal.execution.context.model import Found, RuledOutItem

__all__ = ["CUT", "OPTIONS", "ruled_out_part", "ruled_out_there"]

HEADING = "## Ruled out for this task, newest first: do not try again"
OPTIONS, CUT = "ruled out", "reasons cut"  # the kinds that are counted
SHORT = 60  # bytes of a reason that was cut


def _line(item: RuledOutItem, why_bytes: int | None = None) -> str:
    """Write the option whole, its reason up to so many bytes (None for all), and who says so."""
    why = quoted_line(item.why, why_bytes) if why_bytes != 0 else ""
    is_noted = why_bytes is None or item.note.startswith("may be reopened")
    return f"- {_told(item, why, is_noted=is_noted)} {item.citation}"


def ruled_out_there(item: RuledOutItem) -> str:
    """Write an option that was ruled out for another task."""
    return f"Ruled out there: {_told(item, quoted_line(item.why))} {item.short_citation}"


def ruled_out_part(found: Found[RuledOutItem], room: int) -> tuple[Part, int]:
    """Give the part that fits into the room, newest first, and how many reasons were cut.

    The oldest reasons are cut first, to 60 bytes and then away; then the oldest options are left
    out.
    """
    forms = [[_line(item, cut) for cut in (None, SHORT, 0)] for item in found.rows]
    chosen = [0] * len(forms)
    over = size(HEADING) + 1 + sum(size(form[0]) + 1 for form in forms) - room
    for form in (1, 2):
        for at in reversed(range(len(forms))):
            if over > 0 and size(forms[at][form]) < size(forms[at][chosen[at]]):
                over -= size(forms[at][chosen[at]]) - size(forms[at][form])
                chosen[at] = form
    lines = [form[at] for form, at in zip(forms, chosen, strict=True)]
    while lines and over > 0:
        over -= size(lines.pop()) + 1
    items = [Item(text=line, kind=OPTIONS) for line in lines]
    unread = {OPTIONS: found.total - len(lines)}
    return Part(heading=HEADING, items=items, unread=unread), sum(map(bool, chosen[: len(lines)]))


def _told(item: RuledOutItem, why: str, *, is_noted: bool = True) -> str:
    reason = f": {why}" if why else ""
    note = f"; {item.note}" if item.note and is_noted else ""
    return f"{quoted_line(item.option)}{reason}{note}"
