"""How near to one another the words of a question stand."""

from __future__ import annotations

from itertools import combinations

from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agentjournal.engmem.ranking.found import Held, Place
    from agentjournal.engmem.ranking.score import Asked

__all__ = ["nearness"]

_NEAR = 1.2
_GAP = 8  # characters at which nearness counts half
_TOKENS = 10  # looked at: the ones that tell most
_PLACES = 12  # of each in a section
_SURELY = 1.001  # more than sums are rounded by


def nearness(tokens: Sequence[Asked], held: Held, sections: Iterable[int]) -> float:
    """Score pairs of words by the smallest gap between them, in the section where they do best."""
    best = 0.0
    by_worth = sorted(zip(tokens, held.places, strict=True), key=lambda each: -each[0].worth)
    for section in sections:
        found = [(each, places[section]) for each, places in by_worth if section in places]
        most = sum(at * each.worth for at, (each, _) in enumerate(found[:_TOKENS]))
        if most * _SURELY > best:  # were there no gap at all
            best = max(best, _in_section(found[:_TOKENS]))
    return _NEAR * best


def _in_section(found: Iterable[tuple[Asked, Sequence[Place]]]) -> float:
    places = [
        (each.worth, each.token.word, [at for at, _, _ in places[:_PLACES]])
        for each, places in found
    ]
    return sum(
        right[0] / (1 + _gap(left[2], right[2]) / _GAP)
        for left, right in combinations(places, 2)
        if left[1] != right[1]
    )


def _gap(left: Sequence[int], right: Sequence[int]) -> int:
    """Give the smallest distance between two rows of places."""
    return min([abs(a - b) for a in left for b in right])
