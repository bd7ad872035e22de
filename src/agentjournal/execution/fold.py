"""The one fold from the events of a project's stream to its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.execution.projection.attempt import apply_attempt, apply_resolve
from agentjournal.execution.projection.change import Change, slug_of
from agentjournal.execution.projection.claim import apply_reopen
from agentjournal.execution.projection.plan import apply_discovered, apply_plan, apply_project
from agentjournal.execution.projection.record import apply_consolidated, apply_revocation
from agentjournal.execution.projection.skeleton import skeleton
from agentjournal.execution.projection.step import apply_step
from agentjournal.log.fold import Table
from agentjournal.storage.migrations import MigrationSet
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agentjournal.log.event import Event
    from agentjournal.storage.database import Transaction

__all__ = ["EXECUTION_TABLES", "ExecutionFold"]

EXECUTION_TABLES = MigrationSet("execution", "agentjournal.execution.migrations")

CLEAR = load_statements("agentjournal.execution", "sql/fold/clear.sql")
PROJECT = load_statements("agentjournal.execution", "sql/fold/project.sql")
_APPLY: Mapping[str, Callable[[Transaction, Change], None]] = {
    "project": apply_project,
    "plan": apply_plan,
    "attempt": apply_attempt,
    "step": apply_step,
    "close": apply_step,
    "discovered": apply_discovered,
    "resolve": apply_resolve,
    "reopen": apply_reopen,
    "consolidated": apply_consolidated,
    "retract": apply_revocation,
    "redact": apply_revocation,
}


class ExecutionFold:
    """Projects the streams `project/<slug>`; the table `lease` is none of its business."""

    name = "execution"
    tables: tuple[Table, ...] = (
        Table("project", ("slug",)),
        Table("plan", ("slug", "revision")),
        Table("task", ("slug", "task")),
        Table("dependency", ("slug", "task", "needs")),
        Table("attempt", ("slug", "task", "number")),
        Table("step", ("id",)),
        Table("record_line", ("slug", "n")),
        Table("ruled_out", ("id",)),
        Table("decision", ("id",)),
        Table("touch", ("slug", "kind", "name", "task", "origin")),
        Table("artifact", ("step", "position")),
        Table("gate", ("id",)),
        Table("claim_word", ("word", "claim")),
    )

    def apply(self, tx: Transaction, event: Event, /) -> None:
        """Write what the event changes; of a hidden one only the skeleton counts."""
        slug = slug_of(event.stream)
        if slug is None:
            return
        body = skeleton(event.kind, event.body) if event.hidden else event.body
        if apply := _APPLY.get(event.kind):
            apply(tx, Change(slug, event, body))
        tx.run(PROJECT["set_last_seq"], slug=slug, seq=event.seq)

    def clear(self, tx: Transaction, /) -> None:
        """Delete every row of its tables."""
        for table in self.tables:
            tx.run(CLEAR[f"clear_{table.name}"])

    def clear_stream(self, tx: Transaction, stream: str, /) -> None:
        """Delete every row of one project."""
        slug = slug_of(stream)
        if slug is None:
            return
        for table in self.tables:
            tx.run(CLEAR[f"clear_stream_{table.name}"], slug=slug)

    def skeleton(self, kind: str, body: Mapping[str, object], /) -> Mapping[str, object]:
        """Give what a redacted payload keeps: ids, numbers and closed words."""
        return skeleton(kind, body)
