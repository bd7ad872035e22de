"""Snapshots in and out: the wire format's JSON, byte for byte."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate, groupby, pairwise
from typing import TYPE_CHECKING

from agentjournal.errors import ConflictError, Fault, InputError, NotFoundError
from agentjournal.journal.journal import Journal
from agentjournal.journal.snapshot import decode, read_snapshot
from agentjournal.journal.tiered_memory import TieredMemory
from agentjournal.lanes.event import Signature, rewrite_draft, turn_draft
from agentjournal.lanes.lane import read_lane
from agentjournal.lanes.neutral import harmless_entry, harmless_memory, storable
from agentjournal.lanes.opened import journal_of, kept_turns
from agentjournal.lanes.owner import check_owner, owner_name
from agentjournal.lanes.rewrite import stored_rewrite
from agentjournal.lanes.turn import Said, composed, made_harmless
from agentjournal.text.bounded import size
from agentjournal.text.canonical import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.journal.entry import Entry
    from agentjournal.journal.memory import LayoutName
    from agentjournal.journal.snapshot import Snapshot
    from agentjournal.lanes.lane import Lane
    from agentjournal.log.event import Draft
    from agentjournal.log.log import Log

__all__ = [
    "SNAPSHOT_BYTES",
    "ImportedSnapshot",
    "begin_journal",
    "export_snapshot",
    "import_snapshot",
]

SNAPSHOT_BYTES = 256 * 1024
_FARTHEST = 10**12  # far from 2^53, the last number that an event can hold
_MOST_FAULTS = 20  # that are told


@dataclass(frozen=True, kw_only=True)
class ImportedSnapshot:
    """How many entries came in, in how many turns, and how much of it was made harmless."""

    entries: int
    turns: int
    neutralised: int
    is_repeat: bool = False


def begin_journal(log: Log, stream: str, layout: LayoutName, by: Signature) -> None:
    """Choose the layout of an owner's journal, for life; once it is chosen, nothing happens.

    An owner whose layout nobody chooses has v1.

    Raises:
        ConflictError: the owner has another layout.
    """
    check_owner(stream)
    empty = Journal(owner_name(stream), layout=layout)
    with log.database.snapshot() as reader:
        lane = read_lane(reader, stream)
    if lane.last_seq and lane.layout == layout:
        return
    import_snapshot(log, stream, empty.to_json(), by)


def export_snapshot(log: Log, stream: str) -> str:
    """Give what an owner renders as the JSON of a snapshot; what lies below the floor stays here.

    Raises:
        NotFoundError: the owner has no journal.
        InputError: it is longer than 256 KiB; nothing is ever cut.
    """
    check_owner(stream)
    with log.database.snapshot() as reader:
        lane = read_lane(reader, stream)
        if not lane.last_seq:
            raise NotFoundError(f"{stream} has no journal.", next="Record a turn, or import one.")
        turns = kept_turns(log, reader, stream, lane.floor, lane.turns)
        text = journal_of(reader, lane, turns).to_json()
    _check_size(text, "Consolidate the journal, then export it.")
    return text


def import_snapshot(log: Log, stream: str, text: str, by: Signature) -> ImportedSnapshot:
    """Begin an owner's journal with a snapshot: it renders the same bytes, unless some were forged.

    All of it or nothing; the same id again gives the first answer.

    Raises:
        InputError: it is no snapshot, or longer than 256 KiB, or a number has no room above it.
        ConflictError: the owner has a journal already; nothing was changed.
    """
    check_owner(stream)
    _check_size(text, "Consolidate the journal where it comes from.")
    snapshot = read_snapshot(decode(text))
    _check_numbers(snapshot)
    drafts = list(_turns(stream, snapshot, by))
    neutralised = sum(count for _, count in drafts)
    answer = ImportedSnapshot(
        entries=len(snapshot.entries), turns=len(drafts), neutralised=neutralised
    )
    payload = _payload(snapshot)
    with log.database.transaction() as tx:
        log.lock_stream(tx, stream)
        if found := log.find(tx, by.id):
            stored_rewrite(found, stream, "import")
            return replace(answer, is_repeat=True)
        lane = read_lane(tx, stream)
        _check_place(lane, snapshot)
        begin = rewrite_draft(stream, by, "import", lane.turns, payload)
        log.append(tx, [begin, *(draft for draft, _ in drafts)])
    return answer


def _turns(stream: str, snapshot: Snapshot, by: Signature) -> Iterator[tuple[Draft, int]]:
    """Make the turns' drafts, with what was made harmless in each; ids follow from the import's."""
    for place, run in enumerate(_runs(snapshot)):
        clean = made_harmless((Said(e.kind, e.speaker, e.text) for e in run), snapshot.layout)
        name = f"turn-{sha256_hex(f'{by.id}/{place}')[:32]}"
        payload = {"epoch": run[0].epoch, "neutralised": clean.neutralised or None}
        signed = Signature(id=name, actor=by.actor, at=by.at)
        shown = composed(clean.said, snapshot.layout)
        yield turn_draft(stream, signed, shown, payload), clean.neutralised


def _runs(snapshot: Snapshot) -> Iterator[list[Entry]]:
    """Cut the entries into turns: v2 says where they end, v1 has one for each run of an epoch."""
    if snapshot.layout == "v1":
        for _, run in groupby(snapshot.entries, key=lambda entry: entry.epoch):
            yield list(run)
        return
    for start, end in pairwise([0, *accumulate(snapshot.turns)]):
        for _, run in groupby(snapshot.entries[start:end], key=lambda entry: entry.epoch):
            yield list(run)


def _payload(snapshot: Snapshot) -> dict[str, object | None]:
    layout = snapshot.layout
    heard = {
        harmless_entry("heard", storable(who), "")[0]: harmless_memory(said, "v2")[0]
        for who, said in snapshot.last_heard.items()
    }
    return {
        "layout": layout,
        "memory": _harmless_fields(snapshot.memory.fields(), layout),
        "last_heard": heard or None,
        "consolidations": snapshot.consolidations,
        "chars_per_token": repr(snapshot.chars_per_token),
    }


def _harmless_fields(value: object, layout: LayoutName) -> object:
    """Make every text inside harmless; what else a memory's fields hold are numbers."""
    match value:
        case str():
            return harmless_memory(value, layout)[0]
        case list():
            return [_harmless_fields(item, layout) for item in value]
        case dict():
            return {name: _harmless_fields(item, layout) for name, item in value.items()}
        case _:
            return value


def _check_place(lane: Lane, snapshot: Snapshot) -> None:
    if lane.last_seq and lane.layout != snapshot.layout:
        raise ConflictError(
            f"{lane.stream} is rendered as {lane.layout} for life, not as {snapshot.layout}; "
            "nothing was changed.",
            next="Name another owner.",
        )
    if not lane.is_empty:
        raise ConflictError(
            f"{lane.stream} has a journal of {lane.turns} turns; nothing was imported.",
            next="Import into another owner, or clear this one first.",
        )


def _check_numbers(snapshot: Snapshot) -> None:
    """Refuse numbers from which a store could not count on."""
    faults = tuple(
        Fault(
            field=field,
            rule=f"from -{_FARTHEST} to {_FARTHEST}",
            got=str(number),
            remedy="Number the turns anew.",
        )
        for field, number in _numbers(snapshot)
        if abs(number) > _FARTHEST
    )
    if faults:
        text = "The snapshot's numbers are too large to be counted on."
        raise InputError(text, faults=faults[:_MOST_FAULTS])


def _numbers(snapshot: Snapshot) -> Iterator[tuple[str, int]]:
    yield "consolidations", snapshot.consolidations
    for place, entry in enumerate(snapshot.entries):
        yield f"entries[{place}].epoch", entry.epoch
    spans = snapshot.memory.spans if isinstance(snapshot.memory, TieredMemory) else ()
    for place, span in enumerate(spans):
        yield f"distilled[{place}].tier", span.tier
        yield f"distilled[{place}].epoch_start", span.epoch_start
        yield f"distilled[{place}].epoch_end", span.epoch_end


def _check_size(text: str, remedy: str) -> None:
    if size(text) > SNAPSHOT_BYTES:
        fault = Fault(
            field="snapshot",
            rule=f"must hold at most {SNAPSHOT_BYTES} bytes",
            got=f"{size(text)} bytes",
            remedy=remedy,
        )
        raise InputError("The snapshot is too large to be moved.", faults=(fault,))
