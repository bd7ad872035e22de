"""Which captured request continues which: by the owner that is named, else by what they share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agentjournal.usage.request.likeness import likeness

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agentjournal.usage.lint.capture import Captured
    from agentjournal.usage.request.block import Block, Request

__all__ = ["Conversation", "conversations"]

_ALIKE = 0.5
_OVERLAP = 0.3


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
    unnamed.sort(key=lambda each: _overlap(each.turns[-1].request, turn.request), reverse=True)
    best = unnamed[0] if unnamed else None
    if best and _overlap(best.turns[-1].request, turn.request) >= _OVERLAP:
        return best
    return None


def _overlap(earlier: Request, later: Request) -> float:
    """Give how much of the earlier request's own words come again in the later one, in [0, 1].

    Tools and system prompts do not count where there are messages: agents share them.
    """
    old, new = _words(earlier), _words(later)
    there = {block.identity for block in new}
    weight = sum(block.size for block in old) or 1
    shared = 0.0
    for place, block in enumerate(old):
        if block.identity in there:
            shared += block.size
        elif place < len(new) and new[place].role == block.role:
            alike = likeness(block.text, new[place].text)
            shared += block.size * alike if alike >= _ALIKE else 0
    is_begun_alike = bool(old and new) and old[0].identity == new[0].identity
    return 1.0 if is_begun_alike else shared / weight


def _words(request: Request) -> list[Block]:
    messages = [block for block in request.blocks if block.kind in ("message", "prompt")]
    return messages or list(request.blocks)
