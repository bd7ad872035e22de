"""The parts of a document's score: its fields, its sections, and how near the words stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.engmem.ranking.encoded import FIELDS
from agentjournal.frozen import frozen

if TYPE_CHECKING:
    from agentjournal.engmem.ranking.found import Held
    from agentjournal.engmem.ranking.query import Query
    from agentjournal.engmem.ranking.statistics import Statistics

__all__ = ["Body", "body", "proximity", "spine"]

_WEIGHTS = (5.0, 3.0, 2.0, 1.0, 2.0)  # id, entities, title, tags, covers_files
_PART_OF_ID = 2.0  # a word of an id that is neither a number nor stands beside all others

_SATURATION = 1.2  # k1 of BM25
_LENGTHS = 0.6  # b of BM25
_NEAR = 0.6
_WINDOW = 120.0  # characters


@frozen
class Body:
    """What the sections say: the score, which sections hold anything, best first."""

    score: float
    sections: tuple[int, ...]

    @property
    def best(self) -> int | None:
        """Give the part that answers best."""
        return self.sections[0] if self.sections else None


def spine(query: Query, held: Held) -> float:
    """Add up the best field of each token, times the share of tokens found in a field."""
    total, found = 0.0, 0
    for at, _token in enumerate((*query.tokens, *query.names)):
        best = max(
            (_weight(query, at, part) * place.fit for part, place in held.fields_of(at).items()),
            default=0.0,
        )
        total += best
        found += best > 0 and at < len(query.tokens)
    return total * found / max(len(query.tokens), 1)


def _weight(query: Query, at: int, part: int) -> float:
    if part == 0 and not (query.tokens + query.names)[at].form.isdigit():
        return _PART_OF_ID
    return _WEIGHTS[part]


def body(query: Query, held: Held, statistics: Statistics) -> Body:
    """Score the best section and the document as a whole, each by BM25 and by half."""
    usual = statistics.words / max(statistics.sections, 1) or 1.0
    sections: dict[int, float] = {}
    whole = 0.0
    length = sum(held.lengths[len(FIELDS) :]) * statistics.documents / max(statistics.words, 1)
    for token, places in zip((*query.tokens, *query.names), held.places, strict=True):
        counts: dict[int, float] = {}
        for place in places:
            if place.part >= len(FIELDS):
                counts[place.part] = counts.get(place.part, 0.0) + place.fit
        rarity = statistics.section_rarity(token.key)
        for part, count in counts.items():
            worth = rarity * _saturated(count, held.lengths[part] / usual)
            sections[part] = sections.get(part, 0.0) + worth
        if counts:
            whole += statistics.rarity(token.key) * _saturated(sum(counts.values()), length)
    order = sorted(sections, key=lambda part: (-sections[part], part))
    best = sections[order[0]] if order else 0.0
    return Body((best + whole) / 2, tuple(order))


def _saturated(count: float, length: float) -> float:
    slow = _SATURATION * (1 - _LENGTHS + _LENGTHS * length)
    return count * (_SATURATION + 1) / (count + slow)


def proximity(query: Query, held: Held, scored: Body, statistics: Statistics) -> float:
    """Reward neighbours in the question that stand near one another in the best section."""
    total = 0.0
    for left, right in zip(range(len(query.tokens)), range(1, len(query.tokens)), strict=False):
        first = [place.at for place in held.places[left] if place.part == scored.best]
        second = [place.at for place in held.places[right] if place.part == scored.best]
        if first and second:
            gap = min(abs(a - b) for a in first[:20] for b in second[:20])
            rarity = min(
                statistics.rarity(query.tokens[left].key),
                statistics.rarity(query.tokens[right].key),
            )
            total += rarity / (1 + gap / 12)
    return _NEAR * total
