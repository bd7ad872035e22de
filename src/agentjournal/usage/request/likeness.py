"""How alike two texts are, and how much of one comes again in another: linear in their length."""

from __future__ import annotations

__all__ = ["common_prefix", "likeness", "resent"]

_WORDS = 5


def common_prefix(one: str, other: str) -> int:
    """Count the characters that both begin with."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def likeness(one: str, other: str) -> float:
    """Give how much of the one comes again in the other, in [0, 1]."""
    if one == other:
        return 1.0
    if not one or not other:
        return 0.0
    start = common_prefix(one, other)
    end = common_prefix(one[start:][::-1], other[start:][::-1])
    edges = (start + end) / max(len(one), len(other))
    return max(edges, resent(one, other) / len(one))


def resent(lost: str, sent: str) -> int:
    """Count the characters of what was lost that were sent again, by runs of words."""
    words = lost.split()
    if not words:
        return 0
    length = min(_WORDS, max(1, len(words) - 1))
    there = set(_runs(sent.split(), length))
    runs = list(_runs(words, length))
    found = sum(run in there for run in runs)
    return len(lost) * found // len(runs)


def _runs(words: list[str], length: int) -> list[tuple[str, ...]]:
    return [tuple(words[at : at + length]) for at in range(len(words) - length + 1)]
