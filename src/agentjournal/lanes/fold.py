"""The one fold from the events of an owner's stream to where its journal stands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agentjournal.journal.consolidation import Consolidation
from agentjournal.journal.entry import Entry
from agentjournal.journal.memory import empty_memory
from agentjournal.journal.wire import byte_length, epoch_line
from agentjournal.lanes.head import head_size, newest
from agentjournal.lanes.lane import Lane, memory_in, memory_of, read_lane
from agentjournal.lanes.owner import is_owner
from agentjournal.lanes.turn import said_in
from agentjournal.log.fold import Table
from agentjournal.storage.migrations import MigrationSet
from agentjournal.storage.statement import load_statements
from agentjournal.text.canonical import canonical_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.journal.memory import Memory
    from agentjournal.log.event import Event
    from agentjournal.storage.database import Transaction, Value

__all__ = ["LANE_TABLES", "LaneFold"]

LANE_TABLES = MigrationSet("lanes", "agentjournal.lanes.migrations")

SQL = load_statements("agentjournal.lanes", "sql/fold.sql")
_INDEX = ("episode", "episode_word", "episode_vector")
_REWRITE = (
    *("v", "act", "floor", "layout", "epochs", "folded", "keep", "dropped"),
    *("consolidations", "chars_per_token"),
)
_KEPT = {
    "turn": ("v", "epoch"),
    "consolidated": _REWRITE,
    "retract": ("v", "event"),
    "redact": ("v", "event"),
}
_TAKEN_BACK = "(taken back)"  # a hidden span of v2 keeps its place: later ones count from it
Body = Any  # a payload: checked JSON


class LaneFold:
    """Projects the streams of owners; the archive's index lies beside, and goes with its stream."""

    name = "lanes"
    tables: tuple[Table, ...] = (
        Table("lane", ("stream",)),
        Table("lane_turn", ("stream", "n")),
        Table("lane_heard", ("stream", "speaker")),
        Table("lane_rewrite", ("stream", "seq")),
        Table("lane_memory", ("stream",)),
    )

    def apply(self, tx: Transaction, event: Event, /) -> None:
        """Write what the event changes; of a hidden one only the skeleton counts."""
        if not is_owner(event.stream):
            return
        body = self.skeleton(event.kind, event.body) if event.hidden else event.body
        lane = replace(read_lane(tx, event.stream), last_seq=event.seq)
        if event.kind == "turn":
            lane = _turn(tx, lane, event, body)
        elif event.kind == "consolidated":
            lane = _rewrite(tx, lane, event, body)
        elif event.kind in {"retract", "redact"}:
            lane = _revoke(tx, lane, body)
        tx.run(SQL["put_lane"], **lane.row)

    def clear(self, tx: Transaction, /) -> None:
        """Delete every row of its tables, and the index."""
        for name in (*(table.name for table in self.tables), *_INDEX):
            tx.run(SQL[f"clear_{name}"])

    def clear_stream(self, tx: Transaction, stream: str, /) -> None:
        """Delete every row of one owner, and its index."""
        for name in (*(table.name for table in self.tables), *_INDEX):
            tx.run(SQL[f"clear_stream_{name}"], stream=stream)

    def skeleton(self, kind: str, body: Mapping[str, object], /) -> Mapping[str, object]:
        """Give what a redacted payload keeps: numbers and closed words."""
        return {name: body[name] for name in _KEPT.get(kind, ()) if name in body}


def _turn(tx: Transaction, lane: Lane, event: Event, body: Body) -> Lane:
    epoch = body.get("epoch", lane.epoch + 1)
    shown = event.turn or "" if not event.hidden else ""
    size = byte_length(f"\n\n{epoch_line(epoch)}\n{shown}") if shown else 0
    at: dict[str, Value] = {
        "stream": lane.stream,
        "n": lane.turns + 1,
        "seq": event.seq,
        "id": event.id,
    }
    tx.run(SQL["insert_turn"], **at, epoch=epoch, size=size)
    for said in said_in(shown, body["entries"], lane.layout) if shown else ():
        if said.kind == "heard":
            tx.run(SQL["put_heard"], stream=lane.stream, speaker=said.speaker, said=said.text)
    return replace(
        lane,
        turns=lane.turns + 1,
        epoch=max(epoch, lane.epoch),
        room=lane.room + size,
        neutralised=lane.neutralised + body.get("neutralised", 0),
    )


def _rewrite(tx: Transaction, lane: Lane, event: Event, body: Body) -> Lane:
    """Move the floor and replace what stands above it: nothing is deleted from the log."""
    act, floor = body["act"], min(max(body["floor"], lane.floor), lane.turns)
    if act == "clear":
        for name in ("lane_heard", *_INDEX):
            tx.run(SQL[f"clear_stream_{name}"], stream=lane.stream)
    for speaker, said in sorted(body.get("last_heard", {}).items()):
        tx.run(SQL["put_heard"], stream=lane.stream, speaker=speaker, said=said)
    rewrite: dict[str, Value] = {
        "stream": lane.stream,
        "seq": event.seq,
        "id": event.id,
        "act": act,
    }
    tx.run(SQL["insert_rewrite"], **rewrite, first_n=lane.floor + 1, last_n=floor)
    memory = _rewritten(memory_of(tx, lane), lane, event, body)
    tx.run(SQL["put_memory"], stream=lane.stream, memory=canonical_json(memory.fields()))
    room = tx.rows(SQL["room_above"], stream=lane.stream, floor=floor)[0]["size"]
    return replace(
        lane,
        layout=body.get("layout", lane.layout),
        floor=floor,
        forgotten=floor if act == "clear" else lane.forgotten,
        room=int(room or 0),
        head=head_size(memory),
        consolidations=_count(lane, act, body),
        revision=lane.revision + 1,
        resets=lane.resets + (not lane.is_empty),
        neutralised=lane.neutralised + body.get("neutralised", 0),
        chars_per_token=body.get("chars_per_token", lane.chars_per_token),
    )


def _rewritten(memory: Memory, lane: Lane, event: Event, body: Body) -> Memory:
    """Give the memory that the event leaves."""
    if body["act"] == "clear":
        return empty_memory(lane.layout)
    if body["act"] == "import":
        return memory_in(body.get("layout", "v1"), body.get("memory", {}))
    is_placed = event.hidden and lane.layout == "v2"
    news = Consolidation(body.get("identity", ""), body.get("ledger", [_TAKEN_BACK] * is_placed))
    if body["act"] == "append":
        memory = memory.with_lines(tuple(news.ledger))
        return newest(memory, body["keep"]) if "keep" in body else memory
    ends = [Entry(epoch=epoch, kind="", speaker="", text="") for epoch in body.get("epochs", ())]
    spans = memory.folded()
    memory = memory.with_span(news, ends, spans[max(len(spans) - body.get("folded", 0), 0) :])
    return newest(memory, body["keep"]) if "keep" in body else memory


def _count(lane: Lane, act: str, body: Body) -> int:
    counted = int(act in {"consolidate", "move"})
    return int(body.get("consolidations", 0 if act == "clear" else lane.consolidations + counted))


def _revoke(tx: Transaction, lane: Lane, body: Body) -> Lane:
    """Count a rewrite, and a reset where what was taken back stood in the render.

    What a speaker said last may have gone with a turn below the floor: who holds the journal open
    has to read it again.
    """
    target = body.get("event")
    stood = tx.rows(SQL["turn_above"], stream=lane.stream, floor=lane.floor, id=target) or tx.rows(
        SQL["rewrite_by_id"], stream=lane.stream, id=target
    )
    return replace(lane, revision=lane.revision + 1, resets=lane.resets + bool(stood))
