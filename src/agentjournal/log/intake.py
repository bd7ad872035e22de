"""The import of an export: line by line inside one transaction, checked before it is believed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from agentjournal.errors import ConflictError, ConstraintError, InputError
from agentjournal.log.check import StreamCheck
from agentjournal.log.event import Event
from agentjournal.log.findings import Findings
from agentjournal.log.line import End, Line, Seal, read_line, refuse
from agentjournal.log.seal import insert_seal
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.log.log import Log
    from agentjournal.storage.database import Row, Transaction

__all__ = ["HEADER", "Imported", "Intake"]

HEADER = '{"format":"agentjournal","version":1}'
EVENT_SQL = load_statements(__package__, "sql/event.sql")
STREAM_SQL = load_statements(__package__, "sql/stream.sql")
SEAL_SQL = load_statements(__package__, "sql/seal.sql")
BATCH = 200


@dataclass(frozen=True, kw_only=True)
class Imported:
    """How many events were new here, how many were known, and in how many streams."""

    events: int
    known: int
    streams: int


class Intake:
    """Takes the lines of one export in order; `finish` says that there are no more.

    Memory holds one batch of events and three numbers a stream.
    """

    def __init__(self, log: Log, tx: Transaction) -> None:
        self._log = log
        self._tx = tx
        log.hold_creation(tx)
        self._number = 0
        self._sha256 = hashlib.sha256()
        self._end: End | None = None
        self._batch: list[Event] = []
        self._stream = ""
        self._first_lines: dict[str, int] = {}
        self._lengths: dict[str, int] = {}
        self._here = 0
        self._changed: set[str] = set()
        self._seal: Seal | None = None
        self._events = self._known = self._seals = 0

    def take(self, line: str) -> None:
        """Take the next line, without its newline.

        Raises:
            InputError: it is not what an export holds here.
            ConflictError: it does not agree with what this store holds.
        """
        self._number += 1
        if self._number == 1:
            self._take_header(line)
        else:
            self._take(read_line(self._number, line))
        self._sha256.update(f"{line}\n".encode())

    def finish(self) -> Imported:
        """Check and project what was taken.

        Raises:
            InputError: lines are missing, or the events do not hold together.
        """
        if self._end is None:
            refuse(self._number, "is the last one, but the end is missing")
        for row in self._tx.rows(STREAM_SQL["streams"]):
            if row["stream"] in self._changed:
                self._project(row)
        return Imported(events=self._events, known=self._known, streams=len(self._lengths))

    def _take_header(self, line: str) -> None:
        if line != HEADER:
            refuse(
                1,
                f"must be {HEADER}",
                "Name a file that `agentjournal db export` wrote; if a newer version did, update.",
            )

    def _take(self, line: Line) -> None:
        if self._end is not None:
            refuse(self._number, "follows the end")
        match line:
            case Event():
                self._take_event(line)
            case Seal():
                self._flush()
                self._take_seal(line)
            case End():
                self._flush()
                self._take_end(line)
            case _:
                assert_never(line)

    def _take_event(self, event: Event) -> None:
        if event.stream != self._stream:
            self._begin(event.stream)
        expected = self._lengths[event.stream] + 1
        if event.seq != expected or self._seal is not None:
            refuse(self._number, f"is not at its place: expected seq {expected} of {event.stream}")
        self._lengths[event.stream] = event.seq
        self._batch.append(event)
        if len(self._batch) == BATCH:
            self._flush()

    def _begin(self, stream: str) -> None:
        self._flush()
        if stream <= self._stream:
            refuse(self._number, f"is not at its place: {stream} stands after {self._stream}")
        self._stream = stream
        self._first_lines[stream] = self._number
        self._lengths[stream] = 0
        self._here = self._log.lock_stream(self._tx, stream)

    def _flush(self) -> None:
        known = [event for event in self._batch if event.seq <= self._here]
        new = self._batch[len(known) :]
        if known:
            self._compare(known)
        if new:
            self._insert(new)
        self._batch = []

    def _compare(self, known: list[Event]) -> None:
        stored = self._log.events(self._tx, self._stream, known[0].seq - 1, len(known))
        for event, here in zip(known, stored, strict=True):
            if event.columns != here.columns:
                raise ConflictError(
                    f"{self._stream} is here with another event at seq {event.seq}.",
                    next="Import into an empty database; nothing was imported.",
                )
        self._known += len(known)

    def _insert(self, new: list[Event]) -> None:
        try:
            self._tx.many(EVENT_SQL["insert_event"], (event.columns for event in new))
        except ConstraintError as error:
            lines = f"{self._number - len(new)} to {self._number}"
            raise ConflictError(
                f"An id of the lines {lines} of the import is taken by another event.",
                next="Import into an empty database; nothing was imported.",
            ) from error
        last_seq = new[-1].seq
        self._tx.run(STREAM_SQL["set_last_seq"], stream=self._stream, last_seq=last_seq)
        self._changed.add(self._stream)
        self._events += len(new)

    def _take_seal(self, seal: Seal) -> None:
        before = self._seal if self._seal and self._seal.stream == seal.stream else None
        first_seq = before.last_seq + 1 if before else 1
        is_next = self._seal is None or before is not None or seal.stream > self._seal.stream
        reaches = self._lengths.get(seal.stream, 0)
        if not is_next or seal.first_seq != first_seq or not first_seq <= seal.last_seq <= reaches:
            refuse(self._number, "is a seal that does not follow the one before, or its events")
        if self._last_seal(seal.stream) == before:
            insert_seal(self._tx, seal.stream, seal.first_seq, seal.last_seq, seal.sha256)
            self._changed.add(seal.stream)
        self._seal = seal
        self._seals += 1

    def _last_seal(self, stream: str) -> Seal | None:
        for row in self._tx.rows(SEAL_SQL["last_seal"], stream=stream):
            return Seal(
                stream, int(row["first_seq"] or 0), int(row["last_seq"] or 0), str(row["sha256"])
            )
        return None

    def _take_end(self, end: End) -> None:
        taken = End(self._events + self._known, self._seals, self._sha256.hexdigest())
        if end != taken:
            refuse(
                self._number, "does not agree with the lines before it: some are altered or gone"
            )
        self._end = end

    def _project(self, row: Row) -> None:
        findings = Findings()
        check = StreamCheck(self._log, self._tx, row, findings)
        try:
            self._log.project(self._tx, check.stream, self._sound(check, findings))
        except (LookupError, TypeError, ValueError) as error:
            raise InputError(
                f"The events of {check.stream} cannot be projected ({error!r}): no version of "
                "agent-journal wrote them.",
                next="Nothing was imported; look at what made the file.",
            ) from error

    def _sound(self, check: StreamCheck, findings: Findings) -> Iterator[Event]:
        for event in check.run():
            self._refuse_damage(check.stream, findings)
            yield event
        self._refuse_damage(check.stream, findings)

    def _refuse_damage(self, stream: str, findings: Findings) -> None:
        if findings:
            damage = findings.damages[0]
            refuse(self._first_lines[stream] + (damage.seq or 1) - 1, f"is altered: {damage}")
