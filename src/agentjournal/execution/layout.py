"""Put parts of whole lines into a room of bytes: in order, what matters first, the rest counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agentjournal.text.bounded import size

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["Filled", "Item", "Part", "fill"]


@dataclass(frozen=True, kw_only=True)
class Item:
    """One text that is shown whole or counted under its kind.

    Those of an earlier round get their room before any of a later one. A detail is shown only below
    the item before it that is none.
    """

    text: str
    kind: str
    round: int = 0
    is_detail: bool = False


@dataclass(frozen=True, kw_only=True)
class Part:
    """A heading and its items; `unread` counts, by kind, what was not even read."""

    heading: str
    items: Sequence[Item] = ()
    unread: Mapping[str, int] = field(default_factory=dict)

    @property
    def left_out(self) -> Counter[str]:
        """Count all that would be missing if nothing of the part were shown."""
        return Counter(self.unread) + Counter(item.kind for item in self.items)


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
    return part.left_out - Counter(part.items[at].kind for at in placed)


def _lines(part: Part, placed: set[int]) -> Iterator[str]:
    if placed and part.heading:
        yield part.heading
    for at in sorted(placed):
        yield part.items[at].text
