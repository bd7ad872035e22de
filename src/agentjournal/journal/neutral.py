"""A consolidator without a model: one neutral line for each turn, the same on every machine."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from agentjournal.journal.consolidation import Consolidation
from agentjournal.text.bounded import size
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agentjournal.journal.consolidation import ConsolidationRequest
    from agentjournal.journal.entry import Entry

LINE_BYTES = 300
_SHORTEST_LINE = 60
_LEAST_ROOM = 1024
_COUNTED = re.compile(r"(?:\[Epochs? [^\]]{1,60}\] )?(\d{1,12}) earlier lines lie in the archive\.")
_SHARE = 3  # a span of small turns keeps at most this part of its bytes, so that room is won


def neutral_lines(request: ConsolidationRequest) -> Consolidation:
    """Distil a span without a model: who, what and when, in the third person, one line a turn.

    A line is clipped to a quarter of its turn, 60 to 300 bytes. Where all lines together would take
    more than a third of the span, the oldest give way to one line that counts them.
    """
    lines = [line for span in request.folded for line in span.ledger]
    lines += [_line(request.owner, turn) for turn in turns(request.entries)]
    room = max(_LEAST_ROOM, size(request.text) // _SHARE)
    identity = next((span.identity for span in reversed(request.folded) if span.identity), "")
    first, last = request.epoch_start, request.epoch_end
    return Consolidation(identity, newest_lines(lines, room, f"[Epochs {first}-{last}]"))


def newest_lines(lines: Sequence[str], room: int, stamp: str = "") -> list[str]:
    """Give the newest lines that fit into the room; a first line counts those that do not."""
    counted = _COUNTED.fullmatch(lines[0]) if lines else None
    before = int(counted[1]) if counted else 0
    lines = lines[1:] if counted else lines
    sums = list(accumulate(size(line) + 1 for line in reversed(lines)))
    if not before and (not sums or sums[-1] <= room):
        return list(lines)
    room -= size(_count_line(stamp, before + len(lines))) + 1
    left_out = len(lines) - bisect_right(sums, room)
    return [_count_line(stamp, before + left_out), *lines[left_out:]]


def _count_line(stamp: str, count: int) -> str:
    return f"{stamp} {count} earlier lines lie in the archive.".strip()


def turns(entries: Sequence[Entry]) -> Iterator[Sequence[Entry]]:
    """Cut entries into turns: one ends where the epoch changes, or with what the owner said."""
    start = 0
    for place in range(1, len(entries) + 1):
        is_last = place == len(entries)
        before = entries[place - 1]
        if is_last or entries[place].epoch != before.epoch or _is_own(before):
            yield entries[start:place]
            start = place


def _line(owner: str, turn: Sequence[Entry]) -> str:
    cap = min(LINE_BYTES, max(_SHORTEST_LINE, sum(size(entry.text) for entry in turn) // 4))
    stamp = f"[Epoch {turn[0].epoch}] "
    share = max(24, (cap - size(stamp)) // len(turn))
    said = "; ".join(_part(owner, entry, share) for entry in turn)
    return one_line(stamp + said, cap)


def _part(owner: str, entry: Entry, cap: int) -> str:
    if entry.kind == "situation":
        return one_line(entry.text, cap)
    who = owner if _is_own(entry) else entry.speaker
    return f"{one_line(who, 40)}: {one_line(entry.text, max(12, cap - size(who) - 2))}"


def _is_own(entry: Entry) -> bool:
    return entry.kind not in {"situation", "heard"}
