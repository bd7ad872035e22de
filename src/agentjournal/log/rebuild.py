"""The projections made anew from the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.log.check import StreamCheck
from agentjournal.log.findings import Findings
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.log.event import Event
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Row, Transaction

__all__ = ["rebuild", "sound_events"]

SQL = load_statements(__package__, "sql/stream.sql")


def rebuild(log: Log) -> int:
    """Replace every projection by what the log gives, in one transaction; give the events folded.

    Raises:
        DamagedError: an event is not as it was written; nothing was changed.
    """
    with log.database.transaction() as tx:
        log.hold_creation(tx)
        tx.rows(SQL["lock_streams"])
        for fold in log.folds:
            fold.clear(tx)
        return sum(_rebuild_stream(log, tx, row) for row in tx.rows(SQL["streams"]))


def sound_events(check: StreamCheck, findings: Findings) -> Iterator[Event]:
    """Give the events of a stream as long as nothing is damaged.

    Raises:
        DamagedError: something is; the events before it were given.
    """
    for event in check.run():
        findings.refuse()
        yield event
    findings.refuse()


def _rebuild_stream(log: Log, tx: Transaction, row: Row) -> int:
    findings = Findings()
    check = StreamCheck(log, tx, row, findings)
    log.project(tx, check.stream, sound_events(check, findings))
    return check.events
