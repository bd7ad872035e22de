"""Ids written as ranges: `T001..T012, T015`, in the plan's order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agentjournal.text.bounded import size
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["id_ranges", "shown_ranges"]

_NUMBER = re.compile(r"(.*?)(\d{1,15})")
_SHORTEST = 3  # ids: two neighbours read better side by side


def id_ranges(ids: Sequence[str]) -> list[tuple[str, int]]:
    """Join runs of ids whose last numbers follow one another; give each with its number of ids."""
    runs: list[list[str]] = []
    for id_ in ids:
        if runs and _follows(runs[-1][-1], id_):
            runs[-1].append(id_)
        else:
            runs.append([id_])
    return [written for run in runs for written in _written(run)]


def shown_ranges(ids: Sequence[str], cap_bytes: int) -> str:
    """Give the ranges that fit within the cap, then `+n more` where some do not."""
    ranges = id_ranges(ids)
    whole = ", ".join(text for text, _ in ranges)
    if size(whole) <= cap_bytes:
        return whole
    room, shown, rest = cap_bytes - size(f"+{len(ids)} more"), "", len(ids)
    for text, count in ranges:
        longer = f"{shown}{text}, "
        if size(longer) > room:
            break
        shown, rest = longer, rest - count
    return f"{shown}+{rest} more"


def _follows(last: str, next_: str) -> bool:
    before, after = _NUMBER.fullmatch(last), _NUMBER.fullmatch(next_)
    if not before or not after or before[1] != after[1]:
        return False
    is_padded_alike = len(before[2]) == len(after[2]) or not before[2].startswith("0")
    return is_padded_alike and int(after[2]) == int(before[2]) + 1


def _written(run: list[str]) -> list[tuple[str, int]]:
    if len(run) < _SHORTEST:
        return [(one_line(id_), 1) for id_ in run]
    return [(f"{one_line(run[0])}..{one_line(run[-1])}", len(run))]
