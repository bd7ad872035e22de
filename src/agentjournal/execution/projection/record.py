"""The record's lines as closes and reopened options leave them, and its floor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.execution.projection.attempt import Binding
from agentjournal.execution.projection.change import first
from agentjournal.execution.record import render_line, room_of
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from agentjournal.execution.projection.change import Change
    from agentjournal.storage.database import Transaction

__all__ = [
    "apply_close_line",
    "apply_consolidated",
    "apply_reopened_line",
    "apply_revocation",
]

SQL = load_statements("agentjournal.execution", "sql/fold/record.sql")
PROJECT = load_statements("agentjournal.execution", "sql/fold/project.sql")
PLAN = load_statements("agentjournal.execution", "sql/fold/plan.sql")


def apply_close_line(tx: Transaction, change: Change, binding: Binding) -> None:
    """Leave a close's line; an imported one has none."""
    if change.body.get("end") != "import":
        _leave(tx, change, binding, "", is_shown=not change.is_hidden)


def apply_reopened_line(tx: Transaction, change: Change, quoted: str, *, is_shown: bool) -> None:
    """Leave the line of a reopened option; it quotes a step, and goes when that is taken back."""
    _leave(tx, change, Binding(), quoted, is_shown=is_shown)


def _leave(
    tx: Transaction, change: Change, binding: Binding, quoted: str, *, is_shown: bool
) -> None:
    """Give a line its number; of what is not shown only the number stays."""
    at = first(tx, SQL["next_line"], slug=change.slug)
    if at is None:
        return
    n, turn = int(at["n"] or 0), change.event.turn
    line = (
        render_line(n, binding.number, turn, is_late=binding.is_late) if turn and is_shown else ""
    )
    tx.run(
        SQL["insert_line"],
        slug=change.slug,
        n=n,
        seq=change.event.seq,
        id=change.event.id,
        quoted=quoted,
        line=line,
    )
    tx.rows(SQL["take_line"], slug=change.slug, size=room_of(line))


def apply_consolidated(tx: Transaction, change: Change) -> None:
    """Move the floor; nothing is deleted."""
    floor = int(change.body["floor"])
    lines = tx.rows(SQL["lines"], slug=change.slug)
    kept = sum(room_of(str(row["line"])) for row in lines if int(row["n"] or 0) > floor)
    tx.run(SQL["set_floor"], slug=change.slug, floor=floor, room_used=kept)


def apply_revocation(tx: Transaction, change: Change) -> None:
    """Count a reset where what was taken back stood in the stable prefix: a line, or the plan."""
    at = {"slug": change.slug, "id": change.body.get("event")}
    if first(tx, SQL["line_above"], **at) or first(tx, PLAN["plan_by_id"], **at):
        tx.run(PROJECT["count_reset"], slug=change.slug)
