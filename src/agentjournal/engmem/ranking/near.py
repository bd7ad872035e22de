"""How near to one another the words of a question stand."""

from __future__ import annotations

from itertools import combinations
from math import sqrt

from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agentjournal.engmem.ranking.found import Held, Place
    from agentjournal.engmem.ranking.score import Asked

    Weighed = tuple[float, int, int]  # root of a token's worth, its word, its place in the query

__all__ = ["by_worth", "nearness"]

_NEAR = 1.2
_GAP = 8  # characters at which nearness counts half
_TOKENS = 10  # looked at: the ones that tell most
_PLACES = 12  # of each in a section
_SURELY = 1.001  # more than sums are rounded by


def by_worth(tokens: Sequence[Asked]) -> list[Weighed]:
    """Weigh tokens for nearness, those that tell most first; once for all documents."""
    order = sorted(enumerate(tokens), key=lambda each: -each[1].worth)
    return [(sqrt(each.worth), each.token.word, at) for at, each in order]


def nearness(tokens: Iterable[Weighed], held: Held, sections: Iterable[int]) -> float:
    """Score pairs of words by the smallest gap between them, in the section where they do best.

    A pair counts what its words tell, as their geometric mean: one that tells much is not lost
    beside one that tells little.
    """
    best = 0.0
    every = [(root, word, held.places[at]) for root, word, at in tokens if held.places[at]]
    for section in sections:
        found = [(root, word, at[section]) for root, word, at in every if section in at][:_TOKENS]
        roots = [root for root, _, _ in found]
        most = (sum(roots) ** 2 - sum([root * root for root in roots])) / 2  # were there no gaps
        if most * _SURELY > best:
            best = max(best, _in_section(found))
    return _NEAR * best


def _in_section(found: Iterable[tuple[float, int, Sequence[Place]]]) -> float:
    places = [(root, word, [at for at, _, _ in each[:_PLACES]]) for root, word, each in found]
    return sum(
        [
            left[0] * right[0] / (1 + _gap(left[2], right[2]) / _GAP)
            for left, right in combinations(places, 2)
            if left[1] != right[1]
        ]
    )


def _gap(left: Sequence[int], right: Sequence[int]) -> int:
    """Give the smallest distance between two rows of places."""
    return min([abs(a - b) for a in left for b in right])
