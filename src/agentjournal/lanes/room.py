"""A full render moves its floor: no turn is ever refused because a journal is full."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from agentjournal.journal.consolidation import Consolidation
from agentjournal.lanes.event import Signature, rewrite_draft
from agentjournal.lanes.head import RENDER_BYTES, newest_that_fit
from agentjournal.lanes.lane import SQL, memory_of, read_lane
from agentjournal.text.canonical import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.lanes.lane import Lane
    from agentjournal.log.event import Draft, Event
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Transaction

__all__ = ["settle"]


def settle(log: Log, tx: Transaction, event: Event) -> None:
    """Move the floor in the transaction of a turn that overfills the render.

    The newest turns keep half of the room. Needs no model: one line says what lies below.
    """
    lane = read_lane(tx, event.stream)
    if lane.room + lane.head > RENDER_BYTES:
        log.append(tx, [_move(tx, lane, event)])


def _move(tx: Transaction, lane: Lane, event: Event) -> Draft:
    turns = tx.rows(SQL["turns"], stream=lane.stream, after_n=lane.floor, last_n=lane.turns)
    gone = turns[: -_kept([int(turn["size"] or 0) for turn in turns])]
    epochs = [int(turn["epoch"] or 0) for turn in gone]
    lines = [_told(epochs)] if gone else []
    memory = memory_of(tx, lane).with_span(Consolidation("", lines), (), ())
    # The turn's id gives that of the move, so that a repeat of the turn finds both.
    by = Signature(id=f"floor-{sha256_hex(event.id)[:32]}", actor=event.actor, at=event.at)
    payload: dict[str, object | None] = {
        "ledger": lines,
        "epochs": [min(epochs), max(epochs)] if epochs else None,
        "keep": newest_that_fit(memory),
    }
    return rewrite_draft(lane.stream, by, "move", lane.floor + len(gone), payload)


def _kept(sizes: Sequence[int]) -> int:
    """Count the newest turns that half of the room holds: at least the last one."""
    room = RENDER_BYTES // 2
    held = sum(each <= room for each in accumulate(reversed(sizes)))
    return max(held, 1)


def _told(epochs: Sequence[int]) -> str:
    span = f"Epoch {epochs[0]}" if len(epochs) == 1 else f"Epochs {epochs[0]}-{epochs[-1]}"
    what = "1 turn lies" if len(epochs) == 1 else f"{len(epochs)} turns lie"
    return f"[{span}] {what} in the archive."
