"""The append-only log: events in gapless order per stream, and their projections with them."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from agentjournal.errors import ConflictError
from agentjournal.log.event import Event, event_of
from agentjournal.storage.migrations import MigrationSet, migrate
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agentjournal.log.event import Draft
    from agentjournal.log.fold import Fold
    from agentjournal.storage.database import Database, Reader, Transaction

__all__ = ["Log"]

SQL = load_statements(__package__, "sql/event.sql")
STREAM_SQL = load_statements(__package__, "sql/stream.sql")
TABLES = MigrationSet(package="log", folder="agentjournal.log.migrations")
PAGE = 200
REVOKING = frozenset({"retract", "redact"})


class Log:
    """The events of one database and the folds that project them.

    `sets` are the migrations of the folds' tables; the log's own come first.
    """

    def __init__(
        self, database: Database, folds: Sequence[Fold], sets: Sequence[MigrationSet] = ()
    ) -> None:
        self.database = database
        self.folds = tuple(folds)
        self.sets = (TABLES, *sets)

    def on(self, database: Database) -> Log:
        """Give the same log, folds and tables on another database."""
        return Log(database, self.folds, self.sets[1:])

    def migrate(self) -> None:
        """Create the tables, or bring those of an older version up to date."""
        migrate(self.database, self.sets)

    def lock_stream(self, tx: Transaction, stream: str) -> int:
        """Hold the stream until the transaction ends and give its last seq, 0 for a new one.

        Whoever decides on what a stream holds locks it first, then reads, then appends; who needs
        several holds them in their order.
        """
        rows = tx.rows(STREAM_SQL["lock_stream"], stream=stream)
        if not rows:
            self.hold_creation(tx)
            tx.run(STREAM_SQL["create_stream"], stream=stream)
            rows = tx.rows(STREAM_SQL["lock_stream"], stream=stream)
        return int(rows[0]["last_seq"] or 0)

    def hold_creation(self, tx: Transaction) -> None:
        """Let no other writer make a stream until the transaction ends."""
        tx.rows(STREAM_SQL["lock_stream"], stream="")

    def append(self, tx: Transaction, drafts: Sequence[Draft]) -> list[Event]:
        """Store the drafts in order, project them, and give the events; their streams are held.

        A draft whose id is stored already with the same digest gives the stored event.

        Raises:
            ConflictError: the id is stored with other content, or the stream is not held.
        """
        return [self._stored(tx, draft) or self._append(tx, draft) for draft in drafts]

    def find(self, reader: Reader, id: str) -> Event | None:  # noqa: A002 - the column's name
        """Give the event with this id."""
        for row in reader.rows(SQL["event_by_id"], id=id):
            return event_of(row, hidden=id in self.hidden(reader, str(row["stream"])))
        return None

    def events(
        self, reader: Reader, stream: str, after_seq: int = 0, limit: int = PAGE
    ) -> list[Event]:
        """Give the next events of a stream after a seq, in order."""
        hidden = self.hidden(reader, stream)
        rows = reader.rows(SQL["events_after"], stream=stream, after_seq=after_seq, limit=limit)
        return [event_of(row, hidden=row["id"] in hidden) for row in rows]

    def all_events(self, reader: Reader, stream: str) -> Iterator[Event]:
        """Give every event of a stream in order, a page in memory at a time."""
        page = self.events(reader, stream)
        while page:
            yield from page
            page = self.events(reader, stream, page[-1].seq)

    def revocations(self, reader: Reader, stream: str) -> list[Event]:
        """Give the events that retract or redact others of the stream."""
        return [event_of(row) for row in reader.rows(SQL["revocations"], stream=stream)]

    def hidden(self, reader: Reader, stream: str) -> frozenset[object]:
        """Give the ids of the stream's events that are retracted or redacted."""
        return frozenset(event.body.get("event") for event in self.revocations(reader, stream))

    def project(self, tx: Transaction, stream: str, events: Iterable[Event]) -> None:
        """Replace the projections of a held stream by those of its events."""
        for fold in self.folds:
            fold.clear_stream(tx, stream)
        for event in events:
            self.apply(tx, event)

    def apply(self, tx: Transaction, event: Event) -> None:
        """Project one stored event."""
        for fold in self.folds:
            fold.apply(tx, event)

    def _stored(self, tx: Transaction, draft: Draft) -> Event | None:
        event = self.find(tx, draft.id)
        if event is not None and event.digest != draft.digest:
            raise ConflictError(
                f"The id {draft.id} is already stored with other content, as seq {event.seq} of "
                f"{event.stream}.",
                next="Make a new id for a new event; repeat an old one unchanged.",
            )
        return event

    def _append(self, tx: Transaction, draft: Draft) -> Event:
        rows = tx.rows(STREAM_SQL["take_seq"], stream=draft.stream)
        if not rows:
            raise ConflictError(
                f"The stream {draft.stream} is not held by this transaction.",
                next="Call lock_stream before append.",
            )
        values = {field.name: getattr(draft, field.name) for field in fields(draft)}
        event = Event(**values, seq=int(rows[0]["last_seq"] or 0), recorded_at=tx.now())
        tx.run(SQL["insert_event"], **event.columns)
        if event.kind in REVOKING:
            self.project(tx, event.stream, self.all_events(tx, event.stream))
        else:
            self.apply(tx, event)
        return event
