"""A source of claims without those of some documents."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agentjournal.recall.claim import Candidates, Source

__all__ = ["Without"]


class Without:
    """Asks another source, and leaves out every claim whose scope is held back."""

    def __init__(self, source: Source, is_held_back: Callable[[str], bool]) -> None:
        self.name = source.name
        self._source = source
        self._is_held_back = is_held_back

    def claims(self, stems: Sequence[str], limit: int) -> Candidates:
        """Give what the other source gives, but for what is held back."""
        found = self._source.claims(stems, limit)
        kept = (claim for claim in found.claims if not self._is_held_back(claim.scope))
        return replace(found, claims=tuple(kept))
