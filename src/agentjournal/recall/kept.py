"""Claims that are held in memory, as a source: documents and harvests are small enough."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from agentjournal.recall.claim import Candidates
from agentjournal.search.rank import Frequencies, Posting, rank
from agentjournal.search.words import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.recall.claim import Claim
    from agentjournal.search.words import Known

__all__ = ["KeptClaims"]


class KeptClaims:
    """A source over a fixed list of claims; its postings are made when it is first asked."""

    def __init__(self, name: str, kept: Sequence[Claim]) -> None:
        self.name = name
        self._kept = {claim.id: claim for claim in kept if claim.standing != "superseded"}

    def claims(self, stems: Sequence[str], limit: int) -> Candidates:
        """Give the claims with the highest scores for these stems."""
        found = {each: self._postings.get(each, ()) for each in stems}
        holding = {each: len(postings) for each, postings in found.items()}
        frequencies = Frequencies(len(self._kept), holding)
        best = rank(chain.from_iterable(found.values()), frequencies, limit)
        return Candidates(tuple(self._kept[item] for item, _ in best), frequencies)

    @cached_property
    def _postings(self) -> dict[str, list[Posting]]:
        found: dict[str, list[Posting]] = defaultdict(list)
        known: Known = {}
        for claim in self._kept.values():
            weights = Counter(words(claim.what, known) * 2 + words(claim.why, known))
            for word, weight in weights.items():
                found[word].append(Posting(word, claim.id, weight))
        return dict(found)
