"""The sections of a document: where each stands, what it is for, what it says."""

from __future__ import annotations

import re
import unicodedata

from agentjournal.engmem.heading import headings, without_ordinal
from agentjournal.engmem.role import role_of
from agentjournal.frozen import frozen
from agentjournal.text.bounded import size
from agentjournal.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agentjournal.engmem.heading import Heading
    from agentjournal.engmem.role import Role

__all__ = ["Section", "split"]

SPLIT = 4096  # bytes above which a section is split further
SLUG = 300  # characters of a heading that its anchor is made of
HEADINGS = 2_000  # that split one body
_LEVELS = (2, 3)

_OTHER = re.compile("[^0-9a-z]+")


@frozen(kw_only=True)
class Section:
    """One section; `place` counts from 1, `anchor` is its heading as a slug, `level` that heading's.

    What stands before the first heading has level 0.
    """

    place: int
    anchor: str
    heading: str
    level: int
    role: Role | None
    text: str

    @property
    def locator(self) -> str:
        """Give `§3-decision-log`: how a section is cited."""
        return f"§{self.place}-{self.anchor}"


class _Piece(NamedTuple):
    heading: str
    level: int
    role: Role | None
    text: str
    anchor: str = ""


def split(body: str) -> tuple[Section, ...]:
    """Split a body at its level-2 headings, and sections above 4,096 bytes at level 3.

    What stands before the first heading is the section `preamble`; without any the whole is `body`.
    At most 2,000 headings split a body; what follows those belongs to the last section.
    """
    lines = body.split("\n")
    groups = _groups([mark for mark in headings(lines, HEADINGS) if mark.level in _LEVELS])
    starts = [*(group[0].line for group in groups), len(lines)]
    pieces = [
        piece
        for group, end in zip(groups, starts[1:], strict=True)
        for piece in _pieces(lines, group, end)
    ]
    if not groups:
        pieces = [_Piece("", 0, None, body.strip("\n"), "body")]
    elif before := _text(lines, 0, starts[0]):
        pieces.insert(0, _Piece("", 0, None, before, "preamble"))
    return tuple(
        Section(
            place=place,
            anchor=piece.anchor or _slug(piece.heading),
            heading=piece.heading,
            level=piece.level,
            role=piece.role,
            text=piece.text,
        )
        for place, piece in enumerate(pieces, start=1)
    )


def _groups(marks: Sequence[Heading]) -> list[list[Heading]]:
    """Put each heading of level 2 together with those of level 3 that follow it."""
    groups: list[list[Heading]] = []
    for mark in marks:
        if mark.level == _LEVELS[0]:
            groups.append([mark])
        elif groups:
            groups[-1].append(mark)
    return groups


def _pieces(lines: Sequence[str], group: Sequence[Heading], end: int) -> Iterator[_Piece]:
    mark, *subs = group
    heading, text = without_ordinal(mark.text), _text(lines, mark.below, end)
    role = role_of(heading)
    if size(text) <= SPLIT or not subs:
        yield _Piece(heading, mark.level, role, text)
        return
    if lead := _text(lines, mark.below, subs[0].line):
        yield _Piece(heading, mark.level, role, lead)
    ends = [*(sub.line for sub in subs[1:]), end]
    for sub, sub_end in zip(subs, ends, strict=True):
        named = without_ordinal(sub.text)
        part = _text(lines, sub.below, sub_end)
        yield _Piece(named, sub.level, role_of(named) or role, part)


def _text(lines: Sequence[str], start: int, end: int) -> str:
    return "\n".join(lines[start:end]).strip("\n")


def _slug(heading: str) -> str:
    bare = heading[:SLUG]
    if not bare.isascii():
        decomposed = unicodedata.normalize("NFKD", bare)
        bare = "".join(each for each in decomposed if not unicodedata.combining(each))
    return _OTHER.sub("-", bare.casefold()).strip("-") or "section"
