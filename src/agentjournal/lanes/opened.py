"""An owner's journal as it is read out of the store: nothing below the floor is touched."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from agentjournal.journal.entry import Entry
from agentjournal.journal.journal import Journal
from agentjournal.lanes.lane import SQL, memory_of, read_lane
from agentjournal.lanes.owner import owner_name
from agentjournal.lanes.turn import said_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agentjournal.journal.memory import LayoutName
    from agentjournal.lanes.lane import Lane
    from agentjournal.log.event import Event
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Reader

__all__ = ["KeptTurn", "journal_of", "kept_turns"]


class KeptTurn(NamedTuple):
    """One turn: its number, what a render calls it, its entries; none where it is hidden."""

    n: int
    epoch: int
    entries: tuple[Entry, ...]


def kept_turns(
    log: Log, reader: Reader, stream: str, after_n: int, last_n: int
) -> Iterator[KeptTurn]:
    """Give the turns after one up to another, in order, a page of them in memory at a time."""
    layout = read_lane(reader, stream).layout
    rows = reader.rows(SQL["turns"], stream=stream, after_n=after_n, last_n=last_n)
    places = {int(row["seq"] or 0): row for row in rows}
    after = next(iter(places), 1) - 1
    while places:
        events = log.events(reader, stream, after)
        for event in events:
            if place := places.pop(event.seq, None):
                epoch = int(place["epoch"] or 0)
                yield KeptTurn(int(place["n"] or 0), epoch, tuple(_entries(event, epoch, layout)))
        after = events[-1].seq


def journal_of(reader: Reader, lane: Lane, turns: Iterable[KeptTurn]) -> Journal:
    """Build the journal of an owner from its turns above the floor."""
    heard = reader.rows(SQL["heard"], stream=lane.stream)
    shown = [turn.entries for turn in turns if turn.entries]
    return Journal.from_snapshot(
        {
            "owner": owner_name(lane.stream),
            "layout": lane.layout,
            "entries": [asdict(entry) for entries in shown for entry in entries],
            "turns": list(map(len, shown)),
            **memory_of(reader, lane).fields(),
            "consolidations": lane.consolidations,
            "chars_per_token": float(lane.chars_per_token),
            "last_heard": {str(row["speaker"]): str(row["said"]) for row in heard},
        }
    )


def _entries(event: Event, epoch: int, layout: LayoutName) -> Iterator[Entry]:
    if event.turn and not event.hidden:
        for said in said_in(event.turn, event.body["entries"], layout):
            yield Entry(epoch=epoch, kind=said.kind, speaker=said.speaker, text=said.text)
