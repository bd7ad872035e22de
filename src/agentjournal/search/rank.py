"""Rare words tell more than common ones, and repeats less and less: the parts of BM25."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Frequencies", "Posting", "pooled", "rank", "saturated"]

_SATURATION = 1.2  # k1 of BM25
_LENGTHS = 0.6  # b of BM25
_BACKGROUND = 50  # items without the word that a small collection is thought to lie among


@dataclass(frozen=True)
class Posting:
    """A word stands in an item; `weight` says how often and how prominently, at least 1."""

    word: str
    item: str
    weight: int


@dataclass(frozen=True)
class Frequencies:
    """How many items there are, and how many hold each word; a word that is absent is in none."""

    total: int
    holding: Mapping[str, int]

    def rarity(self, word: str) -> float:
        """Say how much the word tells: never negative, most where nothing holds it.

        >>> few = Frequencies(100, {"lock": 1, "file": 50})
        >>> few.rarity("lock") > few.rarity("file") > 0
        True
        """
        held = self.holding.get(word, 0)
        others = max(self.total - held, 0) + _BACKGROUND
        return math.log(1 + (others + 0.5) / (held + 0.5))

    def likelihood(self, word: str) -> float:
        """Guess how likely an item holds the word by chance: above 0, below 1."""
        return min((self.holding.get(word, 0) + 0.5) / (self.total + _BACKGROUND), 1)


def pooled(all_of_them: Iterable[Frequencies]) -> Frequencies:
    """Add up the frequencies of several collections."""
    total, holding = 0, Counter[str]()
    for each in all_of_them:
        total += each.total
        holding.update(each.holding)
    return Frequencies(total, holding)


def saturated(weight: float, length: float = 1.0) -> float:
    """Say how much a word counts that stands there with this weight: at most 2.2.

    `length` is that of the item, 1 for a usual one: in a long one a word tells less.
    """
    slow = _SATURATION * (1 - _LENGTHS + _LENGTHS * length)
    return weight * (_SATURATION + 1) / (weight + slow)


def rank(
    postings: Iterable[Posting], frequencies: Frequencies, limit: int
) -> list[tuple[str, float]]:
    """Give the items with the highest scores, best first; equal ones by descending item."""
    scores: dict[str, float] = defaultdict(float)
    for posting in sorted(postings, key=lambda each: (each.item, each.word)):
        scores[posting.item] += frequencies.rarity(posting.word) * saturated(posting.weight)
    ordered = sorted(scores.items(), key=lambda each: (each[1], each[0]), reverse=True)
    return ordered[:limit]
