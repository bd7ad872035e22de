"""What stands above the lived memory, kept within a quarter of what a render may take."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from agentjournal.journal.flat_memory import FlatMemory
from agentjournal.journal.tiered_memory import TieredMemory

if TYPE_CHECKING:
    from agentjournal.journal.memory import Memory

__all__ = ["HEAD_BYTES", "RENDER_BYTES", "head_size", "newest", "newest_that_fit"]

RENDER_BYTES = 256 * 1024  # of a render: the hard cap
HEAD_BYTES = RENDER_BYTES // 4


def head_size(memory: Memory) -> int:
    """Give the bytes that it takes in a render; 0 where nothing was distilled yet."""
    render = memory.render()
    return 0 if render.is_empty else render.size


def newest_that_fit(memory: Memory) -> int | None:
    """Say how many of the newest lines (v1) or spans (v2) stay; None where all have room.

    They go only when the head overfills its room, and then so many that half of it is free.
    """
    if head_size(memory) <= HEAD_BYTES:
        return None
    counts = range(_parts(memory) + 1)
    fitting = bisect_right(counts, HEAD_BYTES // 2, key=lambda n: head_size(newest(memory, n)))
    return max(fitting - 1, 0)


def _parts(memory: Memory) -> int:
    match memory:
        case FlatMemory():
            return len(memory.ledger)
        case TieredMemory():
            return len(memory.spans)
        case _:
            assert_never(memory)


def newest(memory: Memory, count: int) -> Memory:
    """Give it with only so many of its newest lines (v1; the identity stays) or spans (v2)."""
    match memory:
        case FlatMemory():
            return replace(memory, ledger=memory.ledger[max(len(memory.ledger) - count, 0) :])
        case TieredMemory():
            return replace(memory, spans=memory.spans[max(len(memory.spans) - count, 0) :])
        case _:
            assert_never(memory)
