"""How many documents and sections a store ranks, and how many of them hold each key."""

from __future__ import annotations

import math

from agentjournal.frozen import frozen
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.engmem.ranking.query import Token

__all__ = ["Statistics"]

# Documents or sections without a word that a small store is thought to lie among: in one of five
# documents, a word of three still tells something, and says little by being there.
_RARE = 8
_LIKELY = 50


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

    @property
    def words_of_section(self) -> float:
        """Give the length of a usual section."""
        return max(self.words / max(self.sections, 1), 1.0)

    def rarity(self, token: Token) -> float:
        """Say how much a token tells of a text: most where nothing holds it, never negative."""
        held = self._held(token, 1)
        others = max(self.sections - held, 0) + _RARE
        return math.log(1 + (others + 0.5) / (held + 0.5))

    def likelihood(self, token: Token) -> float:
        """Guess how likely a document holds a token by chance: above 0, at most 1."""
        return min((self._held(token, 0) + 0.5) / (self.documents + _LIKELY), 1)

    def _held(self, token: Token, what: int) -> int:
        """Count what holds the token; where nothing does, what holds the likest of what it may be."""
        own = self.holding.get(token.key, (0, 0))[what]
        others = (
            min(self.holding.get(key, (0, 0))[what] for key in other.keys)
            for other in token.alternatives
        )
        return own or max(others, default=0)
