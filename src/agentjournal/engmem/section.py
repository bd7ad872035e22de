"""The sections of a document: where each stands, what it is for, what it says."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.engmem.heading import headings, without_ordinal
from agentjournal.engmem.role import role_of
from agentjournal.text.bounded import size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agentjournal.engmem.heading import Heading
    from agentjournal.engmem.role import Role

__all__ = ["Section", "split"]

SPLIT = 4096  # bytes above which a section is split further

_OTHER = re.compile("[^0-9a-z]+")


@dataclass(frozen=True, kw_only=True)
class Section:
    """One section; `place` counts from 1, `anchor` is its heading as a slug."""

    place: int
    anchor: str
    heading: str
    role: Role | None
    text: str

    @property
    def locator(self) -> str:
        """Give `§3-decision-log`: how a section is cited."""
        return f"§{self.place}-{self.anchor}"


@dataclass(frozen=True)
class _Piece:
    heading: str
    role: Role | None
    text: str
    anchor: str = ""


def split(body: str) -> tuple[Section, ...]:
    """Split a body at its level-2 headings, and sections above 4,096 bytes at level 3.

    What stands before the first heading is the section `preamble`; without any the whole is `body`.
    """
    lines = body.split("\n")
    marks = headings(lines)
    pieces = [
        piece
        for level2, end in _spans([mark for mark in marks if mark.level == 2], len(lines))  # noqa: PLR2004 - the level
        for piece in _pieces(lines, level2, [m for m in marks if level2.below <= m.line < end], end)
    ]
    first = next((mark.line for mark in marks if mark.level == 2), None)  # noqa: PLR2004 - the level
    if first is None:
        pieces = [_Piece("", None, body.strip("\n"), "body")]
    elif before := _text(lines, 0, first):
        pieces.insert(0, _Piece("", None, before, "preamble"))
    return tuple(
        Section(
            place=place,
            anchor=piece.anchor or _slug(piece.heading),
            heading=piece.heading,
            role=piece.role,
            text=piece.text,
        )
        for place, piece in enumerate(pieces, start=1)
    )


def _pieces(
    lines: Sequence[str], mark: Heading, below: Sequence[Heading], end: int
) -> Iterator[_Piece]:
    heading, text = without_ordinal(mark.text), _text(lines, mark.below, end)
    role = role_of(heading)
    subs = [each for each in below if each.level == 3]  # noqa: PLR2004 - the level
    if size(text) <= SPLIT or not subs:
        yield _Piece(heading, role, text)
        return
    if lead := _text(lines, mark.below, subs[0].line):
        yield _Piece(heading, role, lead)
    for sub, sub_end in _spans(subs, end):
        sub_heading = without_ordinal(sub.text)
        sub_role = role_of(sub_heading) or role
        yield _Piece(sub_heading, sub_role, _text(lines, sub.below, sub_end))


def _spans(marks: Sequence[Heading], end: int) -> list[tuple[Heading, int]]:
    ends = [*(mark.line for mark in marks[1:]), end]
    return list(zip(marks, ends, strict=True)) if marks else []


def _text(lines: Sequence[str], start: int, end: int) -> str:
    return "\n".join(lines[start:end]).strip("\n")


def _slug(heading: str) -> str:
    bare = unicodedata.normalize("NFKD", heading)
    plain = "".join(each for each in bare if not unicodedata.combining(each)).casefold()
    return _OTHER.sub("-", plain).strip("-") or "section"
