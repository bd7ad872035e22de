"""Where an owner's journal stands: the one row that every writer of it reads and writes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, cast

from agentjournal.journal.snapshot import read_snapshot
from agentjournal.storage.statement import load_statements
from agentjournal.text.canonical import parse_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agentjournal.journal.memory import LayoutName, Memory
    from agentjournal.storage.database import Reader, Value

__all__ = ["Lane", "heard_of", "lane_streams", "memory_in", "memory_of", "read_lane"]

SQL = load_statements("agentjournal.lanes", "sql/lane.sql")


@dataclass(frozen=True, kw_only=True)
class Lane:
    """The counters of one owner's stream; turns are numbered from 1, and 0 stands for none.

    `room` and `head` are bytes as rendered: the turns above the floor, and what stands above them.
    """

    stream: str
    last_seq: int = 0
    layout: LayoutName = "v1"
    turns: int = 0
    epoch: int = 0
    floor: int = 0
    forgotten: int = 0
    room: int = 0
    head: int = 0
    consolidations: int = 0
    revision: int = 0
    resets: int = 0
    neutralised: int = 0
    chars_per_token: str = "4"  # noqa: S105 - no password, but a ratio

    @property
    def is_empty(self) -> bool:
        """Say whether it renders as an empty journal."""
        return not self.room and not self.head

    @property
    def row(self) -> dict[str, Value]:
        """Give the columns."""
        return asdict(self)


def read_lane(reader: Reader, stream: str) -> Lane:
    """Read where an owner's journal stands; of one that was never written, at its beginning."""
    for row in reader.rows(SQL["lane"], stream=stream):
        return Lane(**cast("dict[str, object]", row))  # type: ignore[arg-type] # the columns' types
    return Lane(stream=stream)


def lane_streams(reader: Reader) -> list[str]:
    """Name every owner that has a journal."""
    return [str(row["stream"]) for row in reader.rows(SQL["lanes"])]


def memory_of(reader: Reader, lane: Lane) -> Memory:
    """Read what was distilled of an owner's turns."""
    rows = reader.rows(SQL["memory"], stream=lane.stream)
    fields = parse_json(str(rows[0]["memory"])) if rows else {}
    return memory_in(lane.layout, cast("Mapping[str, object]", fields))


def memory_in(layout: LayoutName, fields: Mapping[str, object]) -> Memory:
    """Read a memory out of those fields of a snapshot that hold it."""
    return read_snapshot({"layout": layout, **fields}).memory


def heard_of(reader: Reader, stream: str, speakers: Sequence[str]) -> dict[str, str]:
    """Give what each of these speakers said last, where anything is remembered."""
    return {
        speaker: str(row["said"])
        for speaker in speakers
        for row in reader.rows(SQL["heard_by"], stream=stream, speaker=speaker)
    }
