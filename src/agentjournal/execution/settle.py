"""What is in order when a transaction ends that left a line: leases gone, the record in its room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.execution.projection.change import first, slug_of
from agentjournal.execution.record import RECORD_ROOM, floor_for
from agentjournal.log.event import draft
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentjournal.log.event import Event
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Transaction

__all__ = ["settle"]

LEASE = load_statements("agentjournal.execution", "sql/write/lease.sql")
PROJECT = load_statements("agentjournal.execution", "sql/fold/project.sql")
RECORD = load_statements("agentjournal.execution", "sql/fold/record.sql")


def settle(log: Log, tx: Transaction, stored: Event, new_id: Callable[[], str]) -> None:
    """After a close or a reopening: forget closed attempts' leases; move an overfull record's floor."""
    slug = slug_of(stored.stream)
    if slug is None or stored.kind not in {"close", "reopen"}:
        return
    if stored.kind == "close":
        tx.run(LEASE["end_leases"], slug=slug, task=str(stored.body["plan_ref"]))
    project = first(tx, PROJECT["project"], slug=slug)
    if project is None or int(project["room_used"] or 0) <= RECORD_ROOM:
        return
    lines = [(int(r["n"] or 0), str(r["line"])) for r in tx.rows(RECORD["lines"], slug=slug)]
    floor = floor_for(lines)
    if floor is not None:
        event = draft(
            stream=stored.stream,
            id=new_id(),
            kind="consolidated",
            actor=stored.actor,
            at=stored.at,
            payload={"v": 1, "floor": floor},
        )
        log.append(tx, [event])
