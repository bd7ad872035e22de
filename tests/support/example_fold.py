"""A small fold for the log's own tests: notes with words, and a tally for each stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.log.event import Draft, Event, Kind, draft
from agentjournal.log.fold import Table
from agentjournal.log.log import Log
from agentjournal.storage.migrations import MigrationSet
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.storage.database import Database, Row, Transaction

SQL = load_statements("support", "example.sql")
TABLES = MigrationSet(package="example", folder="support.example_migrations")
AT = "2026-01-02T03:04:05.000006Z"


class ExampleFold:
    name = "example"
    tables = (Table("note", ("stream", "seq")), Table("tally", ("stream",)))

    def apply(self, tx: Transaction, event: Event, /) -> None:
        words = None if event.hidden else event.body.get("words")
        tx.run(SQL["add_note"], stream=event.stream, seq=event.seq, id=event.id, words=words)
        turn = "" if event.hidden else (event.turn or "")
        tx.run(SQL["count_event"], stream=event.stream, hidden=event.hidden, turn=turn)

    def clear(self, tx: Transaction, /) -> None:
        tx.run(SQL["clear_notes"])
        tx.run(SQL["clear_tallies"])

    def clear_stream(self, tx: Transaction, stream: str, /) -> None:
        tx.run(SQL["clear_notes_of"], stream=stream)
        tx.run(SQL["clear_tally_of"], stream=stream)

    def skeleton(self, kind: str, body: Mapping[str, object], /) -> Mapping[str, object]:
        return {"task": body["task"]} if kind == "close" and "task" in body else {}


def example_log(database: Database) -> Log:
    """Give a migrated log with the example fold."""
    log = Log(database, [ExampleFold()], [TABLES])
    log.migrate()
    return log


def note(
    id: str,  # noqa: A002 - the column's name
    words: str = "",
    *,
    stream: str = "project/p",
    turn: str | None = None,
    kind: Kind = "step",
    **more: object,
) -> Draft:
    """Compose a draft that the example fold shows."""
    payload = {"v": 1, "words": words, **more}
    return draft(stream=stream, id=id, kind=kind, actor="ada", at=AT, payload=payload, turn=turn)


def write(log: Log, *drafts: Draft) -> list[Event]:
    """Append drafts in one transaction."""
    with log.database.transaction() as tx:
        for stream in sorted({each.stream for each in drafts}):
            log.lock_stream(tx, stream)
        return log.append(tx, drafts)


def projections(log: Log) -> tuple[list[Row], list[Row]]:
    """Read both projections."""
    return log.database.rows(SQL["notes"]), log.database.rows(SQL["tallies"])
