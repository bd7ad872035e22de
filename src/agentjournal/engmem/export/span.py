"""A stretch of a text that must not leave the store, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Span", "merged"]


@dataclass(frozen=True, order=True)
class Span:
    """From `start` up to `end`, counted in characters; `kind` says what it is."""

    start: int
    end: int
    kind: str


def merged(spans: Iterable[Span]) -> list[Span]:
    """Join what overlaps into one, of the kind of the first."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start < joined[-1].end:
            first = joined[-1]
            joined[-1] = Span(first.start, max(first.end, span.end), first.kind)
        elif span.start < span.end:
            joined.append(span)
    return joined
