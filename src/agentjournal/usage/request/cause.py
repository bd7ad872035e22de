"""Why a prefix probably broke, from what stands at the place and what came again below it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from agentjournal.usage.request.likeness import likeness
from agentjournal.usage.request.volatile import volatile_cause

if TYPE_CHECKING:
    from agentjournal.usage.request.block import Block, Request
    from agentjournal.usage.request.difference import Cause
    from agentjournal.usage.request.place import Place

__all__ = ["cause_of"]

_ALIKE = 0.5


def cause_of(earlier: Request, later: Request, at: int, place: Place) -> Cause:
    """Name the cause of a break at this block."""
    old, new = earlier.blocks[at], later.blocks[at]
    if old.kind == "tool" or new.kind == "tool":
        return _tool_cause(earlier, later, place, old, new)
    if _is_same_data(old.value, new.value):
        return "reordered keys"
    has_grown = old.role == new.role and new.text.startswith(old.text)
    is_alike = old.role == new.role and likeness(old.text, new.text) >= _ALIKE
    volatile = volatile_cause(place.before, place.after, place.character)
    if volatile and old.role == new.role and not has_grown and (is_alike or volatile != "id"):
        return volatile
    return _moved_cause(earlier, later, at, has_grown=has_grown, is_alike=is_alike)


def _moved_cause(
    earlier: Request, later: Request, at: int, *, has_grown: bool, is_alike: bool
) -> Cause:
    old, new = earlier.blocks[at], later.blocks[at]
    if has_grown:
        is_inside = bool(earlier.marks) and at <= earlier.marks[-1]
        return "one growing block inside a mark" if is_inside else "memory injected above history"
    if not is_alike and _stands_below(old, later, at):
        return "memory injected above history"
    if _stands_below(new, earlier, at) or old.text.startswith(new.text):
        return "pruned history"
    if earlier.marks and at == earlier.marks[-1] >= earlier.tail:
        return "replaced block inside a mark"
    return "edited system prompt" if old.kind == "system" else "edited history"


def _tool_cause(earlier: Request, later: Request, place: Place, old: Block, new: Block) -> Cause:
    before, after = (
        [block.text for block in request.blocks if block.kind == "tool"]
        for request in (earlier, later)
    )
    if before != after and sorted(before) == sorted(after):
        return "reordered tools"
    if _is_same_data(old.value, new.value):
        return "reordered keys"
    if old.kind == new.kind and old.label == new.label:
        return volatile_cause(place.before, place.after, place.character) or "tool change"
    if sorted(map(_key, _values(earlier))) == sorted(map(_key, _values(later))):
        return "reordered tools"
    return "tool change"


def _values(request: Request) -> list[object]:
    return [block.value for block in request.blocks if block.kind == "tool"]


def _stands_below(block: Block, request: Request, at: int) -> bool:
    return any(each.identity == block.identity for each in request.blocks[at + 1 :])


def _is_same_data(before: object, after: object) -> bool:
    """Say whether only the order of keys differs, in structures or in texts that are JSON."""
    return _key(before) == _key(after)


def _key(value: object) -> str:
    if isinstance(value, str):
        if not value.lstrip().startswith(("{", "[")):
            return value
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return str(value)
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
