"""The check of a whole store: every event, every seal, every projection."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.errors import StoreError
from agentjournal.log.check import StreamCheck
from agentjournal.log.compare import compare_table
from agentjournal.log.findings import Damage, Findings
from agentjournal.log.seal import seal_pending
from agentjournal.storage.sqlite import Sqlite
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from agentjournal.log.event import Event
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Reader

__all__ = ["Report", "Tail", "inspect", "verify"]

SQL = load_statements(__package__, "sql/stream.sql")


@dataclass(frozen=True, kw_only=True)
class Tail:
    """Events that no seal covers yet: their digests are checked, their recorded_at is not."""

    stream: str
    first_seq: int
    last_seq: int


@dataclass(frozen=True, kw_only=True)
class Report:
    """What was checked, which events are not sealed, and all that is wrong.

    `more` counts faults beyond those listed. Projections are compared only where the events are
    sound, because they follow from them: `are_projections_compared`.
    """

    streams: int
    events: int
    seals: int
    unsealed: tuple[Tail, ...]
    faults: tuple[Damage, ...]
    more: int
    are_projections_compared: bool

    @property
    def is_good(self) -> bool:
        """Say whether everything is as it was written."""
        return not self.faults


def verify(log: Log) -> Report:
    """Check the store and repair nothing; where all is good, seal what was not sealed yet."""
    report = inspect(log)
    if report.is_good:
        seal_pending(log, minimum=1)
    return report


def inspect(log: Log) -> Report:
    """Check the store and write nothing at all."""
    findings = Findings()
    with closing(Sqlite(":memory:")) as memory, log.database.snapshot() as reader:
        derived = log.on(memory)
        derived.migrate()
        checks = _check_streams(log, reader, derived, findings)
        are_events_sound = not findings
        if are_events_sound:
            _compare(derived, reader, findings)
    return Report(
        streams=len(checks),
        events=sum(check.events for check in checks),
        seals=sum(check.seals for check in checks),
        unsealed=tuple(_tail(check) for check in checks if check.sealed_seq < check.last_seq),
        faults=tuple(findings.damages),
        more=findings.more,
        are_projections_compared=are_events_sound,
    )


def _check_streams(log: Log, reader: Reader, derived: Log, findings: Findings) -> list[StreamCheck]:
    rows = reader.rows(SQL["streams"])
    checks = [StreamCheck(log, reader, row, findings) for row in rows]
    for check in checks:
        for event in check.run():
            if not findings:
                _project(derived, event, findings)
    return checks


def _project(derived: Log, event: Event, findings: Findings) -> None:
    try:
        with derived.database.transaction() as tx:
            derived.apply(tx, event)
    except (StoreError, LookupError, TypeError, ValueError) as error:
        findings.add(event.stream, event.seq, f"cannot be projected: {error!r}")


def _compare(derived: Log, stored: Reader, findings: Findings) -> None:
    with derived.database.snapshot() as fresh:
        for fold in derived.folds:
            for table in fold.tables:
                compare_table(table, stored, fresh, findings)


def _tail(check: StreamCheck) -> Tail:
    return Tail(stream=check.stream, first_seq=check.sealed_seq + 1, last_seq=check.last_seq)
