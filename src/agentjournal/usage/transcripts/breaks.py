"""Where a prefix broke, told from the counts alone: a cache gave back clearly less than it held."""

from __future__ import annotations

import itertools
from datetime import datetime
from typing import TYPE_CHECKING

from agentjournal.usage.call import Break

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agentjournal.usage.subject import Subject
    from agentjournal.usage.transcripts.session import Turn

__all__ = ["broken_turns"]

_SHORT, _MIDDLE, _LONG = 300, 1800, 3600  # lifetimes in seconds: Anthropic's two, OpenAI's usual
_HELD = 0.9


def broken_turns(turns: Sequence[Turn], subject: Subject) -> Iterator[Break]:
    """Give each turn that read less than nine tenths of what the turn before left in the cache."""
    for place, (earlier, later) in enumerate(itertools.pairwise(turns), 2):
        held, read = _held(earlier), later.usage.cache_read
        if read is None or later.usage.violations or read >= held * _HELD:
            continue
        cause, detail = _why(earlier, later, held)
        yield Break(
            id=f"break/{later.id}",
            at=later.at,
            subject=subject,
            model=later.usage.model or "",
            source="import",
            turn=place,
            cause=cause,
            detail=detail,
            lost=held - read,
        )


def _held(turn: Turn) -> int:
    """Count what the cache held after a turn: what it read and what it wrote."""
    usage = turn.usage
    return 0 if usage.violations else (usage.cache_read or 0) + (usage.cache_write or 0)


def _why(earlier: Turn, later: Turn, held: int) -> tuple[str, str]:
    if later.reset:
        return "edited history", later.reset
    if earlier.usage.model != later.usage.model:
        return "model change", f"{earlier.usage.model} to {later.usage.model}"
    idle, lifetime = _idle_seconds(earlier, later), _lifetime(earlier)
    if idle > lifetime:
        return "expired", f"idle for {idle // 60} min, kept for {lifetime // 60} min"
    read = later.usage.cache_read or 0
    if not read:
        return "unknown", "nothing held: the very start changed, or another replica answered"
    return "unknown", f"held for {read} of {held} tokens: what comes after them changed"


def _idle_seconds(earlier: Turn, later: Turn) -> int:
    if not earlier.at or not later.at:
        return 0
    span = datetime.fromisoformat(later.at) - datetime.fromisoformat(earlier.at)
    return int(span.total_seconds())


def _lifetime(turn: Turn) -> int:
    if turn.usage.cache_write_1h:
        return _LONG
    return _SHORT if turn.usage.dialect == "anthropic" else _MIDDLE
