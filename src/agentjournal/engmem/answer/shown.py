"""A document that an answer shows: what is told of it, looked up once for text and data."""

from __future__ import annotations

from agentjournal.engmem.answer.related import related_to
from agentjournal.engmem.answer.snippet import snippet
from agentjournal.engmem.role import role_of
from agentjournal.frozen import frozen
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.engmem.answer.related import Related
    from agentjournal.engmem.answer.snippet import Wanted
    from agentjournal.engmem.header import Header, Passage
    from agentjournal.engmem.index.store_index import StoreIndex
    from agentjournal.engmem.ranking.rank import Hit
    from agentjournal.engmem.role import Role

__all__ = ["ASIDE", "Extract", "Shown", "ShownHit", "shown_hit", "shown_successor"]

# A plan made before anything was known, and words of other documents: shown last, never advised.
ASIDE = frozenset({"prereg", "reuse", "trace"})


@frozen
class Extract:
    """Where a section stands, its size in bytes, its role and the stretch of it that is shown."""

    locator: str
    size: int
    role: Role | None
    text: str


@frozen(kw_only=True)
class Shown:
    """A document as it is shown; `snapshot` says how the files that it covers have changed since."""

    header: Header
    snapshot: str | None
    related: tuple[Related, ...]


@frozen(kw_only=True)
class ShownHit(Shown):
    """A document that answers, and the stretches of it that do."""

    hit: Hit
    extracts: tuple[Extract, ...]


def shown_hit(
    index: StoreIndex,
    hit: Hit,
    words: Wanted,
    *,
    role: Role | None,
    snapshot: str | None,
) -> ShownHit:
    """Look up what is told of a hit; with a role it is that section alone."""
    header, passages = hit.header, index.passages(hit.header.id)
    by_place = {passage.place: passage for passage in passages}
    best = [by_place[place] for place in hit.sections if place in by_place]
    chosen = [_of_role(passages, role)] if role else sorted(best, key=_is_aside)
    return ShownHit(
        header=header,
        snapshot=snapshot,
        related=() if role else related_to(header, index.header),
        hit=hit,
        extracts=tuple(_extract(passage, words) for passage in chosen if passage),
    )


def shown_successor(index: StoreIndex, header: Header, snapshot: str | None) -> Shown:
    """Look up what is told of a document that took a hit's place."""
    return Shown(header=header, snapshot=snapshot, related=related_to(header, index.header))


def _is_aside(passage: Passage) -> bool:
    return passage.role in ASIDE


def _extract(passage: Passage, words: Wanted) -> Extract:
    text = snippet(passage.text, words, passage.heading)
    return Extract(passage.locator, passage.size, passage.role, text)


def _of_role(passages: Sequence[Passage], role: Role) -> Passage | None:
    """Give the section whose own heading names the role, else the first that inherits it."""
    held = [passage for passage in passages if passage.role == role]
    own = (passage for passage in held if role_of(passage.heading) == role)
    return next(own, held[0] if held else None)
