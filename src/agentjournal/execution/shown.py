"""A registered plan as it was registered, whole or one task of it; not bounded: a person reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.errors import NotFoundError
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.log.log import Log

__all__ = ["shown_plan"]

SQL = load_statements("agentjournal.execution", "sql/read_names.sql")


def shown_plan(log: Log, slug: str, task: str | None) -> tuple[str, Mapping[str, object]]:
    """Give the stored plan's text, or one task's, with its fields.

    Raises:
        NotFoundError: there is no such project, plan or task.
    """
    name = "plan_body" if task is None else "task_body"
    values = {"slug": slug} if task is None else {"slug": slug, "task": task}
    rows = log.database.rows(SQL[name], **values)
    if not rows:
        what = f"plan of {slug!r}" if task is None else f"task {task!r} in {slug!r}"
        raise NotFoundError(
            f"There is no {what}.", next=f"`agentjournal state {slug}` shows what there is."
        )
    row = rows[0]
    return str(row["body" if task is None else "text"]).rstrip("\n"), row
