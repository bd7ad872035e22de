"""Which captured request continues which: by the owner that is named, else by what they share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agentjournal.usage.request.overlap import OVERLAP, overlap

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agentjournal.usage.lint.capture import Captured

__all__ = ["Conversation", "conversations"]


@dataclass
class Conversation:
    """The turns of one conversation in order; `owner` is None where none was named."""

    owner: str | None
    turns: list[Captured] = field(default_factory=list)


def conversations(captured: Iterable[Captured]) -> list[Conversation]:
    """Sort the turns into conversations, keeping the order of each."""
    found: list[Conversation] = []
    for turn in captured:
        home = _home(found, turn)
        if home is None:
            home = Conversation(turn.owner)
            found.append(home)
        home.turns.append(turn)
    return found


def _home(found: list[Conversation], turn: Captured) -> Conversation | None:
    """Give the newest conversation that this turn continues."""
    if turn.owner is not None:
        return next((each for each in found if each.owner == turn.owner), None)
    unnamed = [each for each in found if each.owner is None]
    unnamed.sort(key=lambda each: overlap(each.turns[-1].request, turn.request), reverse=True)
    best = unnamed[0] if unnamed else None
    if best and overlap(best.turns[-1].request, turn.request) >= OVERLAP:
        return best
    return None
