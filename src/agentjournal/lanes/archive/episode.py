"""What the archive finds: a few turns that belong together, and the neutral lines that tell them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.text.bounded import size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agentjournal.lanes.opened import KeptTurn

__all__ = ["Episode", "episodes", "stamped", "told", "verbatim"]

_TURNS = 8
_BYTES = 2048
_STAMP = re.compile(r"\[Epochs? (-?\d{1,15})(?: ?[-\u2013] ?(-?\d{1,15}))?\]")


@dataclass(frozen=True, kw_only=True)
class Episode:
    """Turns in order, and the lines of the ledger whose epochs hold them, joined by newlines."""

    turns: Sequence[KeptTurn]
    neutral: str = ""

    @property
    def first_n(self) -> int:
        """Give the number of its first turn."""
        return self.turns[0].n

    @property
    def last_n(self) -> int:
        """Give the number of its last turn."""
        return self.turns[-1].n


def episodes(turns: Sequence[KeptTurn], lines: Sequence[str]) -> Iterator[Episode]:
    """Cut a distilled span into episodes of at most eight turns and about 2 KiB.

    One ends where a line's epochs begin or end. A line without epochs tells the whole span.
    """
    spans = [stamped(line) for line in lines]
    held: list[KeptTurn] = []
    telling: tuple[int, ...] = ()
    for turn in turns:
        now = tuple(n for n, span in enumerate(spans) if span is None or turn.epoch in span)
        if held and (now != telling or _is_full(held)):
            yield _episode(held, lines, telling)
            held = []
        held.append(turn)
        telling = now
    if held:
        yield _episode(held, lines, telling)


def stamped(line: str) -> range | None:
    """Read the epochs that a ledger line says it tells; None where it says none."""
    found = _STAMP.match(line.lstrip())
    if found is None:
        return None
    first = int(found[1])
    return range(first, int(found[2] or first) + 1)


def told(neutral: str) -> str:
    """Give neutral lines without their stamps: a question for a number asks for no epoch."""
    return "\n".join(_STAMP.sub("", line, count=1) for line in neutral.splitlines())


def verbatim(turn: KeptTurn) -> str:
    """Give a turn in the words in which it was said: the key that is not neutral."""
    said = (f"{e.speaker} {e.text}" if e.kind == "heard" else e.text for e in turn.entries)
    return "\n".join(said)


def _is_full(turns: Sequence[KeptTurn]) -> bool:
    return len(turns) >= _TURNS or sum(size(verbatim(turn)) for turn in turns) >= _BYTES


def _episode(turns: list[KeptTurn], lines: Sequence[str], telling: Sequence[int]) -> Episode:
    return Episode(turns=tuple(turns), neutral="\n".join(lines[n] for n in telling))
