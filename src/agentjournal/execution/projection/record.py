"""The record's lines as closes leave them, and its floor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.execution.projection.change import first
from agentjournal.execution.record import render_line, room_of
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from agentjournal.execution.projection.attempt import Binding
    from agentjournal.execution.projection.change import Change
    from agentjournal.storage.database import Transaction

__all__ = ["apply_consolidated", "apply_line", "apply_revocation"]

SQL = load_statements("agentjournal.execution", "sql/fold/record.sql")
PROJECT = load_statements("agentjournal.execution", "sql/fold/project.sql")
PLAN = load_statements("agentjournal.execution", "sql/fold/plan.sql")


def apply_line(tx: Transaction, change: Change, binding: Binding) -> None:
    """Leave a close's line; of a hidden one only its number stays, an imported one has none."""
    at = first(tx, SQL["next_line"], slug=change.slug)
    if change.body.get("end") == "import" or at is None:
        return
    n, turn = int(at["n"] or 0), change.event.turn
    shown = turn is not None and not change.is_hidden
    line = render_line(n, binding.number, turn or "", is_late=binding.is_late) if shown else ""
    tx.run(SQL["insert_line"], slug=change.slug, n=n, seq=change.event.seq, line=line)
    tx.rows(SQL["take_line"], slug=change.slug, size=room_of(line))


def apply_consolidated(tx: Transaction, change: Change) -> None:
    """Move the floor; nothing is deleted."""
    floor = int(change.body["floor"])
    lines = tx.rows(SQL["lines"], slug=change.slug)
    kept = sum(room_of(str(row["line"])) for row in lines if int(row["n"] or 0) > floor)
    tx.run(SQL["set_floor"], slug=change.slug, floor=floor, room_used=kept)


def apply_revocation(tx: Transaction, change: Change) -> None:
    """Count a reset where what was taken back stood in the stable prefix: a line, or the plan."""
    target = change.body.get("event")
    line = first(tx, SQL["line_of_step"], slug=change.slug, id=target)
    at = first(tx, SQL["next_line"], slug=change.slug)
    stood = line is not None and at is not None and int(line["n"] or 0) > int(at["floor"] or 0)
    if stood or first(tx, PLAN["plan_by_id"], slug=change.slug, id=target):
        tx.run(PROJECT["count_reset"], slug=change.slug)
