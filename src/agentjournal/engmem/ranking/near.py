"""How near to one another the words of a question stand."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agentjournal.engmem.ranking.found import Held
    from agentjournal.engmem.ranking.score import Asked

__all__ = ["nearness"]

_NEAR = 1.2
_GAP = 8  # characters at which nearness counts half
_TOKENS = 10  # looked at: the ones that tell most
_PLACES = 12  # of each in a section


def nearness(tokens: Sequence[Asked], held: Held, sections: Iterable[int]) -> float:
    """Score pairs of words by the smallest gap between them, in the section where they do best."""
    return _NEAR * max((_in_section(tokens, held, each) for each in sections), default=0.0)


def _in_section(tokens: Sequence[Asked], held: Held, section: int) -> float:
    places = []
    for each, found in zip(tokens, held.places, strict=True):
        at = [place.at for place in found if place.part == section][:_PLACES]
        if at:
            places.append((each.worth, each.token.word, at))
    places.sort(key=lambda each: -each[0])
    return sum(
        min(left[0], right[0]) / (1 + _gap(left[2], right[2]) / _GAP)
        for left, right in combinations(places[:_TOKENS], 2)
        if left[1] != right[1]
    )


def _gap(left: Sequence[int], right: Sequence[int]) -> int:
    """Give the smallest distance between two rising rows of places."""
    return min(abs(a - b) for a in left for b in right)
