"""Did a request rewrite what it should have extended? If so: where, and why it probably did."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Literal

from agentjournal.journal.wire import BOUNDARY
from agentjournal.text.visible import one_line
from agentjournal.usage.request.cause import cause_of
from agentjournal.usage.request.likeness import likeness, resent
from agentjournal.usage.request.place import Place, first_difference

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.usage.request.block import Block, Request

__all__ = ["Cause", "Difference", "compare"]

Cause = Literal[
    "clock",
    "id",
    "counter",
    "reordered tools",
    "reordered keys",
    "tool change",
    "edited system prompt",
    "edited history",
    "pruned history",
    "memory injected above history",
    "one growing block inside a mark",
    "replaced block inside a mark",
    "moved marks",
    "model change",
    "chat template",
    "settings change",
]
_SHOWN = 30
_ALIKE = 0.5


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Where a prefix broke: `at` is the first differing byte of the value at `path`.

    `prompt_at` counts the prompt's bytes above it, `again` those that were sent a second time below it.
    """

    block: str
    path: str
    at: int | None
    cause: Cause
    before: str = ""
    after: str = ""
    prompt_at: int = 0
    again: int = 0


def compare(earlier: Request, later: Request) -> Difference | None:
    """Give where the later request breaks the earlier one's prefix, or None where the cache holds.

    A now-block that is replaced below the history or the boundary breaks nothing, nor does a mark that moves
    within reach. On engines with marks the blocks up to the last mark count; on others, all but the tail.
    A request that continues what the server keeps holds too little to be compared.
    """
    if earlier.model != later.model and earlier.model and later.model:
        return _setting("model", "model change", earlier.model, later.model)
    if template := _changed("chat template", earlier.template, later.template):
        return template
    if earlier.continues or later.continues:
        return None
    at = _first_differing(earlier, later)
    if at is None:
        return _moved_marks(earlier, later) or _settings(earlier, later)
    if not _is_broken(earlier, later, at):
        return _moved_marks(earlier, later)
    return _located(earlier, later, at)


def _first_differing(earlier: Request, later: Request) -> int | None:
    """Give the first block that the later request lacks or has otherwise; what it cut off is no loss."""
    for place, (old, new) in enumerate(zip(earlier.blocks, later.blocks, strict=False)):
        if old.identity != new.identity:
            return place
    return None


def _is_broken(earlier: Request, later: Request, at: int) -> bool:
    if earlier.marks:
        return at <= earlier.marks[-1]
    old, new = earlier.blocks[at], later.blocks[at]
    if _is_below_boundary(old, new):
        return False
    has_grown = new.text.startswith(old.text) and old.role == new.role
    if at >= earlier.tail:
        is_past = any(block.is_answer for block in later.blocks[at + 1 :])
        is_edited = is_past and not has_grown and likeness(old.text, new.text) >= _ALIKE
        return is_edited or (
            not earlier.has_answers and _costs_more_than_it_keeps(earlier, later, at)
        )
    if earlier.has_answers:
        return True
    comes_again = not has_grown and _comes_again(earlier, later, at)
    return comes_again or _costs_more_than_it_keeps(earlier, later, at)


def _costs_more_than_it_keeps(earlier: Request, later: Request, at: int) -> bool:
    """Say whether more was sent again below the difference than stands above it: then it is no tail."""
    above = sum(block.size for block in earlier.blocks[:at])
    return _again(earlier, later, at) > above + _shared(earlier.blocks[at], later.blocks[at])


def _is_below_boundary(old: Block, new: Block) -> bool:
    """Say whether the two part below a boundary line that both have."""
    line = old.text.find(BOUNDARY)
    return line >= 0 and old.text[:line] == new.text[:line] and new.text.startswith(BOUNDARY, line)


def _shared(old: Block, new: Block) -> int:
    return first_difference(old.path, old.text, new.text).byte if old.role == new.role else 0


def _again(earlier: Request, later: Request, at: int) -> int:
    """Count what was lost and came again, in characters; what stands below a boundary was no loss."""
    old, new = earlier.blocks[at], later.blocks[at]
    cut = first_difference("", old.text, new.text).character
    rest = "\n".join([old.text[cut:], *(block.text for block in earlier.blocks[at + 1 :])])
    lost = rest.partition(BOUNDARY)[0]
    sent = "\n".join([new.text[cut:], *(block.text for block in later.blocks[at + 1 :])])
    return resent(lost, sent)


def _comes_again(earlier: Request, later: Request, at: int) -> bool:
    there = {block.identity for block in later.blocks[at:]}
    above = takewhile(lambda block: BOUNDARY not in block.text, earlier.blocks[at + 1 :])
    return any(block.identity in there for block in above)


def _moved_marks(earlier: Request, later: Request) -> Difference | None:
    """Say whether no mark of the later request finds the last one of the earlier one again."""
    marks = earlier.marks
    if not marks or earlier.reach is None or marks[-1] >= len(later.blocks):
        return None
    last = marks[-1]
    reach = later.reach if later.reach is not None else earlier.reach
    if any(last <= mark <= last + reach for mark in later.marks):
        return None
    block = earlier.blocks[last]
    after = [later.blocks[mark].path for mark in later.marks]
    return Difference(
        block=block.label,
        path=block.path,
        at=None,
        cause="moved marks",
        before=f"a mark at {block.path}",
        after=f"marks at {', '.join(after)}" if after else "no marks",
        prompt_at=sum(each.size for each in earlier.blocks[: last + 1]),
    )


def _settings(earlier: Request, later: Request) -> Difference | None:
    """Name a setting that Anthropic's cache of messages depends on."""
    if earlier.reach is None:
        return None
    return _changed("settings change", earlier.settings, later.settings)


def _changed(
    cause: Cause, earlier: Mapping[str, str], later: Mapping[str, str]
) -> Difference | None:
    """Give the first of the named values that is another now."""
    for name in sorted({*earlier, *later}):
        before, after = earlier.get(name, ""), later.get(name, "")
        if before != after:
            return _setting(name, cause, before, after)
    return None


def _setting(path: str, cause: Cause, before: str, after: str) -> Difference:
    place = Place(path=path, before=before, after=after)
    return Difference(
        block=path,
        path=path,
        at=place.byte,
        cause=cause,
        before=_window(before, place.character),
        after=_window(after, place.character),
    )


def _located(earlier: Request, later: Request, at: int) -> Difference:
    old, new = earlier.blocks[at], later.blocks[at]
    is_moved = old.role != new.role or old.kind != new.kind
    shown = new if is_moved and new.kind == "tool" else old  # where a tool was added, the tool
    place = (
        Place(path=shown.path, before=old.text, after=new.text)
        if is_moved
        else first_difference(old.path, old.value, new.value)
    )
    return Difference(
        block=shown.label,
        path=place.path,
        at=0 if is_moved else place.byte,
        cause=cause_of(earlier, later, at, place),
        before=_window(place.before, place.character),
        after=_window(place.after, place.character),
        prompt_at=sum(block.size for block in earlier.blocks[:at]) + _shared(old, new),
        again=_again(earlier, later, at),
    )


def _window(text: str, at: int) -> str:
    """Give a few characters around a place, on one visible line."""
    start = max(0, at - _SHOWN)
    return ("…" if start else "") + one_line(text[start : at + _SHOWN])
