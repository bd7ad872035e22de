"""Stored text in a brief: it can imitate neither the boundary nor a heading nor a frame."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agentjournal.text.bounded import clip, size
from agentjournal.text.fence import fence
from agentjournal.text.visible import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Callable

_HEADING = re.compile(r"^([^\S\n]*)=(?==+[^\S\n])", re.MULTILINE)
_FRAME = re.compile(r"<(?=[\\/]?quoted:)", re.IGNORECASE)


def without_headings(text: str) -> str:
    """Break lines that would read as a heading of ours: `== Plan ==` becomes `-= Plan ==`.

    One byte for one byte, so that what was cut to fit still fits.
    """
    return _HEADING.sub(r"\1-", visible(text))


def without_marks(text: str) -> str:
    """Break headings and the tags of frames: such a text may stand bare, byte for byte as long."""
    return _FRAME.sub("(", without_headings(text))


def plain_line(text: str, cap_bytes: int | None = None) -> str:
    """Give stored text as one line that may stand bare."""
    return without_marks(one_line(text, cap_bytes))


def framed(
    label: str, text: str, cap_bytes: int, *, rest: Callable[[int, int], str] | None = None
) -> str:
    """Frame stored text within a cap; where it is cut, a line from `rest` follows the frame.

    `rest` is given the bytes that are shown and those that there are.
    """
    body = without_headings(text)
    whole = fence(label, body)
    if size(whole) <= cap_bytes:
        return whole
    total = size(body)
    room = cap_bytes - size(fence(label, "")) - size(_noted(rest, total, total))
    while True:
        shown = clip(body, room)
        cut = fence(label, shown) + _noted(rest, size(shown), total)
        if size(cut) <= cap_bytes or room <= 0:
            return cut
        room -= size(cut) - cap_bytes


def _noted(rest: Callable[[int, int], str] | None, shown: int, total: int) -> str:
    return f"\n{rest(shown, total)}" if rest else ""
