"""The check of one stream: order, digests, redactions, seals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.errors import DamagedError
from agentjournal.log.event import Event, event_of
from agentjournal.log.seal import seal_sha256
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agentjournal.log.findings import Findings
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Reader, Row

__all__ = ["StreamCheck"]

SQL = load_statements(__package__, "sql/event.sql")
SEAL_SQL = load_statements(__package__, "sql/seal.sql")
PAGE = 200


class StreamCheck:
    """Reads a stream once, in order, and notes in `findings` all that is not as it was written.

    `row` is the stream's row of the statement `streams`. It repairs nothing and keeps one page in
    memory.
    """

    def __init__(self, log: Log, reader: Reader, row: Row, findings: Findings) -> None:
        self.stream = str(row["stream"])
        self.last_seq = 0
        self.events = 0
        self.seals = 0
        self.sealed_seq = 0
        self._row = row
        self._reader = reader
        self._findings = findings
        self._revocations = {
            str(body.get("event")): event
            for event in _readable_revocations(log, reader, self.stream)
            if (body := _body(event)) is not None
        }
        self._redactions = {
            target: event for target, event in self._revocations.items() if event.kind == "redact"
        }
        self._awaited = dict(self._revocations)

    def run(self) -> Iterator[Event]:
        """Give every event that can be read, checked; at the end check the seals."""
        try:
            for row in self._rows():
                event = event_of(row, hidden=row["id"] in self._revocations)
                self._awaited.pop(event.id, None)
                self._check_place(event.seq)
                self._check_text(event)
                yield event
            self._check_targets()
            self._check_end()
            self._check_seals()
        except (DamagedError, TypeError, ValueError) as error:  # a number that is none
            self._note(None, f"cannot be read: {error}")

    def _rows(self) -> Iterator[Row]:
        after = 0
        while seqs := self._reader.rows(
            SQL["seqs_after"], stream=self.stream, after_seq=after, limit=PAGE
        ):
            last = int(seqs[-1]["seq"] or 0)
            yield from self._page(after, seqs)
            after = last

    def _page(self, after: int, seqs: list[Row]) -> Iterator[Row]:
        try:
            yield from self._reader.rows(
                SQL["events_after"], stream=self.stream, after_seq=after, limit=len(seqs)
            )
        except DamagedError:
            for seq in seqs:
                yield from self._one(int(seq["seq"] or 0))

    def _one(self, seq: int) -> list[Row]:
        try:
            return self._reader.rows(
                SQL["events_after"], stream=self.stream, after_seq=seq - 1, limit=1
            )
        except DamagedError as error:
            self._check_place(seq)
            self._note(seq, f"cannot be read: {error.message}")
            return []

    def _check_place(self, seq: int) -> None:
        if seq != self.last_seq + 1:
            self._note_gap(seq)
        self.last_seq = seq
        self.events += 1

    def _note_gap(self, seq: int) -> None:
        missing = self.last_seq + 1
        more = "" if seq == missing + 1 else f", with all up to seq {seq - 1}"
        self._note(missing, f"is gone{more}")

    def _check_text(self, event: Event) -> None:
        redaction = self._redactions.get(event.id)
        own = event.own_digest
        if redaction is None:
            if own != event.digest:
                self._note(event.seq, "what it holds is not what its digest was made from")
            elif _body(event) is None:
                self._note(event.seq, "its payload is no JSON object")
        elif own == event.digest:
            self._note(event.seq, f"still holds the text that {redaction.id} redacted")
        elif not _is_marker(event, own, redaction.body):
            self._note(event.seq, f"its marker is not the one that {redaction.id} left")

    def _check_targets(self) -> None:
        for target, event in self._awaited.items():
            self._note(event.seq, f"names {target!r}, which is not in this stream")

    def _check_end(self) -> None:
        if self._row["last_seq"] is None:
            self._note(None, "has no row in the table stream")
            return
        last = int(self._row["last_seq"])
        if last > self.last_seq:
            self._note_gap(last + 1)
        elif last < self.last_seq:
            self._note(self.last_seq, f"lies beyond seq {last}, the last that was written")

    def _check_seals(self) -> None:
        previous = ""
        for row in self._reader.rows(SEAL_SQL["seals"], stream=self.stream):
            first, last = int(row["first_seq"] or 0), int(row["last_seq"] or 0)
            self._check_seal(first, last, previous, str(row["sha256"]))
            previous, self.sealed_seq = str(row["sha256"]), last
            self.seals += 1
        if (sealed := self._row["sealed_seq"] or 0) != self.sealed_seq:
            self._note(
                None, f"is sealed up to seq {self.sealed_seq}, but the table stream says {sealed!r}"
            )

    def _check_seal(self, first: int, last: int, previous: str, sha256: str) -> None:
        if first != self.sealed_seq + 1 or last < first:
            self._note(first, f"its seal does not follow the one up to seq {self.sealed_seq}")
        elif last > self.last_seq:
            self._note(last, f"is sealed, but the last event that is there is {self.last_seq}")
        elif self._seal_of(previous, first, last) != sha256:
            self._note(
                first,
                f"the seal over seq {first} to {last} does not match: a recorded_at or digest in "
                "it, a seal or an event was changed",
            )

    def _seal_of(self, previous: str, first: int, last: int) -> str:
        try:
            return seal_sha256(self._reader, self.stream, previous, first, last)
        except DamagedError:
            return ""  # the pass over the events named the one that cannot be read

    def _note(self, seq: int | None, what: str) -> None:
        self._findings.add(self.stream, seq, what)


def _is_marker(event: Event, own_digest: str, redaction: Mapping[str, object]) -> bool:
    left = (redaction.get("original"), redaction.get("marker"))
    return (event.digest, own_digest) == left


def _readable_revocations(log: Log, reader: Reader, stream: str) -> list[Event]:
    try:
        return log.revocations(reader, stream)
    except DamagedError:
        return []  # the pass over the events names the one that cannot be read


def _body(event: Event) -> Mapping[str, object] | None:
    try:
        return event.body
    except DamagedError:
        return None
