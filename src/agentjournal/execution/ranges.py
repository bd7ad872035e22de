"""Ids written as ranges: `T001..T012, T015`, in the plan's order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agentjournal.execution.citation import quoted_line
from agentjournal.text.bounded import size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["id_ranges", "shown_ranges"]

_NUMBER = re.compile(r"(.*?)(\d{1,15})")
_SHORTEST = 3  # ids: two neighbours read better side by side


def id_ranges(ids: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Join runs of ids whose last numbers follow one another; give each with its number of ids."""
    run: list[str] = []
    for id_ in ids:
        if run and not _follows(run[-1], id_):
            yield from _written(run)
            run = []
        run.append(id_)
    yield from _written(run)


def shown_ranges(ids: Sequence[str], cap_bytes: int) -> str:
    """Give the ranges that fit within the cap, then `+n more` where some do not."""
    shown: list[tuple[str, int]] = []
    for each in id_ranges(ids):
        shown.append(each)
        if size(_joined(shown)) > cap_bytes:
            break
    while shown and size(_with_rest(shown, len(ids))) > cap_bytes:
        shown.pop()
    return _with_rest(shown, len(ids))


def _with_rest(shown: Sequence[tuple[str, int]], total: int) -> str:
    rest = total - sum(count for _, count in shown)
    return _joined([*shown, (f"+{rest} more", rest)] if rest else shown)


def _joined(shown: Sequence[tuple[str, int]]) -> str:
    return ", ".join(text for text, _ in shown)


def _follows(last: str, next_: str) -> bool:
    before, after = _NUMBER.fullmatch(last), _NUMBER.fullmatch(next_)
    if not before or not after or before[1] != after[1]:
        return False
    is_padded_alike = len(before[2]) == len(after[2]) or not before[2].startswith("0")
    return is_padded_alike and int(after[2]) == int(before[2]) + 1


def _written(run: list[str]) -> list[tuple[str, int]]:
    if len(run) < _SHORTEST:
        return [(quoted_line(id_), 1) for id_ in run]
    return [(f"{quoted_line(run[0])}..{quoted_line(run[-1])}", len(run))]
