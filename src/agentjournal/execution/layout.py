"""Put parts of whole lines into a room of bytes: in order, what matters first, the rest counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agentjournal.text.bounded import clip, size
from agentjournal.text.fence import fence
from agentjournal.text.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

__all__ = [
    "LINE_END",
    "Composed",
    "Filled",
    "Item",
    "Part",
    "fill",
    "framed",
    "left_out_line",
    "with_last_line",
]

LINE_END = 1  # byte
LEAST_FRAMED = 100  # bytes: a shorter beginning says nothing
Composed = tuple[list[str], Counter[str]]  # lines, and what they leave out


@dataclass(frozen=True, kw_only=True)
class Item:
    """One text that is shown whole, or counted under its kind as the `count` things it speaks of.

    Those of an earlier round get their room before any of a later one. A detail is shown only below
    the item before it that is none.
    """

    text: str
    kind: str
    round: int = 0
    is_detail: bool = False
    count: int = 1


@dataclass(frozen=True, kw_only=True)
class Part:
    """A heading and its items; `unread` counts, by kind, what was not even read."""

    heading: str
    items: Sequence[Item] = ()
    unread: Mapping[str, int] = field(default_factory=dict)

    @property
    def left_out(self) -> Counter[str]:
        """Count all that would be missing if nothing of the part were shown."""
        return Counter(self.unread) + _counted(self.items)


@dataclass(frozen=True)
class Filled:
    """The lines that found room, what did not by kind, and the bytes used, line ends included."""

    lines: tuple[str, ...]
    left_out: Counter[str]
    used: int


def fill(parts: Sequence[Part], room: int) -> Filled:
    """Place the parts' items round by round; a heading stands where one of its items does."""
    placed: list[set[int]] = [set() for _ in parts]
    used = 0
    for place, at in _in_rounds(parts):
        part = parts[place]
        if not _may_stand(part, at, placed[place]):
            continue
        heading = 0 if placed[place] or not part.heading else size(part.heading) + 1
        cost = heading + size(part.items[at].text) + 1
        if used + cost <= room:
            placed[place].add(at)
            used += cost
    pairs = list(zip(parts, placed, strict=True))
    left = sum((_left(part, shown) for part, shown in pairs), Counter[str]())
    return Filled(tuple(line for pair in pairs for line in _lines(*pair)), left, used)


def framed(heading: str, label: str, text: str, room: int) -> tuple[list[str], int]:
    """Quote a text of many lines in a frame, cut to the room; say how many bytes are missing."""
    text = visible(text.strip())
    frame = size(heading) + 1 + size(fence(label, ""))
    if not text or room < frame + min(size(text), LEAST_FRAMED):
        return [], size(text)
    shown = clip(text, room - frame)
    while (over := size(heading) + 1 + size(fence(label, shown)) - room) > 0:
        shown = clip(shown, max(size(shown) - over, 0))
    missing = 0 if shown == text else max(size(text) - size(shown), 1)
    return [heading, fence(label, shown)], missing


def with_last_line(
    compose: Callable[[int], Composed],
    everything: Counter[str],
    last: Callable[[Counter[str]], str],
) -> str:
    """Compose a text; where it leaves something out, again with its last line's bytes reserved.

    `compose` takes the bytes to leave free: the text's own line end, which whoever prints it adds,
    lies within its cap too. `everything` counts all that could be left out: no last line is longer
    than one that says so.
    """
    lines, left = compose(LINE_END)
    if left.total():
        lines, left = compose(size(last(everything)) + 1 + LINE_END)
        lines.append(last(left))
    return "\n".join(lines)


def left_out_line(left: Counter[str], more: str) -> str:
    """Say how many of each kind were left out, and how to get them."""
    counts = ", ".join(f"{kind} {count}" for kind, count in left.items() if count > 0)
    return f"Left out: {counts}. More: {more}"


def _in_rounds(parts: Sequence[Part]) -> Iterator[tuple[int, int]]:
    rounds = sorted({item.round for part in parts for item in part.items})
    for now in rounds:
        for place, part in enumerate(parts):
            for at, item in enumerate(part.items):
                if item.round == now:
                    yield place, at


def _may_stand(part: Part, at: int, placed: set[int]) -> bool:
    if not part.items[at].is_detail:
        return True
    owner = next(i for i in range(at - 1, -1, -1) if not part.items[i].is_detail)
    return owner in placed


def _left(part: Part, placed: set[int]) -> Counter[str]:
    return part.left_out - _counted(part.items[at] for at in placed)


def _counted(items: Iterable[Item]) -> Counter[str]:
    counts = Counter[str]()
    for item in items:
        counts[item.kind] += item.count
    return counts


def _lines(part: Part, placed: set[int]) -> Iterator[str]:
    if placed and part.heading:
        yield part.heading
    for at in sorted(placed):
        yield part.items[at].text
