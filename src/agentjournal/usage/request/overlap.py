"""How much of a request comes again in another one: whether the two are turns of one conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.usage.request.likeness import likeness

if TYPE_CHECKING:
    from agentjournal.usage.request.block import Block, Request

__all__ = ["OVERLAP", "overlap"]

OVERLAP = 0.3  # from here on the later one continues the earlier one
_ALIKE = 0.5


def overlap(earlier: Request, later: Request) -> float:
    """Give how much of the earlier request's own words come again in the later one, in [0, 1].

    Tools and system prompts do not count where there are messages, since agents share them; but where
    they have nothing in common, the two are not of one program.
    """
    if not _share_a_head(earlier, later):
        return 0.0
    old, new = _words(earlier), _words(later)
    if old and new and old[0].role == new[0].role and new[0].text.startswith(old[0].text):
        return 1.0
    there = {block.identity for block in new}
    weight = sum(block.size for block in old) or 1
    shared = 0.0
    for place, block in enumerate(old):
        if block.identity in there:
            shared += block.size
        elif place < len(new) and new[place].role == block.role:
            alike = likeness(block.text, new[place].text)
            shared += block.size * alike if alike >= _ALIKE else 0
    return shared / weight


def _share_a_head(earlier: Request, later: Request) -> bool:
    old, new = _head(earlier), _head(later)
    if not old or not new:
        return old == new
    return max(likeness(old, new), likeness(new, old)) >= OVERLAP


def _head(request: Request) -> str:
    return "\n".join(block.text for block in request.blocks if block.kind in ("tool", "system"))


def _words(request: Request) -> list[Block]:
    messages = [block for block in request.blocks if block.kind in ("message", "prompt")]
    return messages or list(request.blocks)
