"""What is in order when a closing transaction ends: the lease gone, the record in its room."""

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


def settle(log: Log, tx: Transaction, closed: Event, new_id: Callable[[], str]) -> None:
    """After a close: forget leases of closed attempts; move the floor of an overfull record."""
    slug = slug_of(closed.stream)
    if slug is None or closed.kind != "close":
        return
    tx.run(LEASE["end_leases"], slug=slug, task=str(closed.body["plan_ref"]))
    project = first(tx, PROJECT["project"], slug=slug)
    if project is None or int(project["room_used"] or 0) <= RECORD_ROOM:
        return
    lines = [(int(r["n"] or 0), str(r["line"])) for r in tx.rows(RECORD["lines"], slug=slug)]
    floor = floor_for(lines)
    if floor is not None:
        event = draft(
            stream=closed.stream,
            id=new_id(),
            kind="consolidated",
            actor=closed.actor,
            at=closed.at,
            payload={"v": 1, "floor": floor},
        )
        log.append(tx, [event])
