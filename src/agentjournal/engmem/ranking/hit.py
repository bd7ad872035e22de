"""A document that answers, and why: what is told of it is worked out when it is asked for."""

from __future__ import annotations

from functools import cached_property

from agentjournal.engmem.ranking.score import FIRST
from agentjournal.engmem.ranking.trust import is_weak
from agentjournal.frozen import frozen
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.engmem.header import Header
    from agentjournal.engmem.ranking.encoded import Encoded
    from agentjournal.engmem.ranking.found import Held
    from agentjournal.engmem.ranking.query import Query
    from agentjournal.engmem.ranking.score import Asked

__all__ = ["Hit", "Sought"]

_SHOWN = 3  # sections that are named


@frozen
class Sought:
    """What all documents of a search are asked for: the query, its tokens weighed, of how many."""

    query: Query
    tokens: tuple[Asked, ...]
    documents: int


@frozen(kw_only=True)
class Hit:
    """A document that answers; `ranked` are its sections that do, with their scores, best first.

    A search has two dozen of these and shows three.
    """

    sought: Sought
    header: Header
    encoded: Encoded
    held: Held
    parts: dict[str, float]
    ranked: tuple[tuple[int, float], ...]
    is_exact: bool

    @property
    def score(self) -> float:
        """Add up its parts: that orders the hits."""
        return sum(self.parts.values())

    @property
    def named(self) -> float:
        """Say how far an exact hit is what was named; 0 for all others."""
        return self.parts["spine"] + self.parts["title"] if self.is_exact else 0.0

    @property
    def sections(self) -> tuple[int, ...]:
        """Give the places of the sections that answer best."""
        return tuple(part - FIRST + 1 for part, _ in self.ranked[:_SHOWN])

    @property
    def asked(self) -> tuple[str, ...]:
        """Give the words that were asked for."""
        return self.sought.query.words

    @cached_property
    def is_weak(self) -> bool:
        """Say whether it may be chance that it was found."""
        sought = self.sought
        return not self.is_exact and is_weak(
            sought.query, sought.tokens, self.encoded, self.held, sought.documents
        )

    @cached_property
    def covered(self) -> tuple[str, ...]:
        """Give those of the words asked for that were found."""
        held = zip(self.sought.query.tokens, self.held.places, strict=False)
        found = {token.word for token, places in held if places}
        return tuple(word for at, word in enumerate(self.asked) if at in found)

    @cached_property
    def matched(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Name each field, and the best section, with the words that were found there.

        They stand in the order of the first match, as `asked~found` where spelled differently.
        """
        return tuple(self._matched())

    def _matched(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        named: dict[int, list[str]] = {}
        shown = [*range(FIRST), *[part for part, _ in self.ranked[:1]]]
        for each, places in zip(self.sought.tokens, self.held.places, strict=True):
            asked = each.token.form
            for part in shown:
                if part in places:
                    _, form, _ = max(places[part], key=lambda place: place[2])
                    named.setdefault(part, []).append(asked if form == asked else f"{asked}~{form}")
        for part in sorted(named, key=lambda each: each >= FIRST):
            yield self.held.locator(part), tuple(named[part])
