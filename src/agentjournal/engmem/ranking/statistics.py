"""How many documents and sections a store ranks, and how many of them hold each key."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from agentjournal.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Statistics"]

_BACKGROUND = 50  # documents without the key that a small store is thought to lie among


@frozen(kw_only=True)
class Statistics:
    """Counts over active and superseded documents; a key that is absent is in none.

    `words` is the number of words of all sections, `holding` the number of documents and of
    sections that hold a key.
    """

    documents: int
    sections: int
    words: int
    holding: Mapping[str, tuple[int, int]]

    def rarity(self, key: str) -> float:
        """Say how much a key tells of a document: most where nothing holds it, never negative."""
        held = self.holding.get(key, (0, 0))[0]
        others = max(self.documents - held, 0) + _BACKGROUND
        return math.log(1 + (others + 0.5) / (held + 0.5))

    def section_rarity(self, key: str) -> float:
        """Say how much a key tells of a section."""
        held = self.holding.get(key, (0, 0))[1]
        others = max(self.sections - held, 0) + _BACKGROUND
        return math.log(1 + (others + 0.5) / (held + 0.5))

    def likelihood(self, key: str) -> float:
        """Guess how likely a document holds a key by chance: above 0, at most 1."""
        held = self.holding.get(key, (0, 0))[0]
        return min((held + 0.5) / (self.documents + _BACKGROUND), 1)
