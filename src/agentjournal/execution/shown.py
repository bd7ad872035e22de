"""A registered plan as it was registered, whole or one task of it; not bounded: a person reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.errors import NotFoundError
from agentjournal.execution.task import load_project
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.log.log import Log

__all__ = ["shown_plan"]

SQL = load_statements("agentjournal.execution", "sql/read_names.sql")
_FLAGS = ("optional", "container")  # as `plan check` names them


def shown_plan(log: Log, slug: str, task: str | None) -> tuple[str, Mapping[str, object]]:
    """Give the stored plan's text, or one task's, with its fields.

    Raises:
        NotFoundError: there is no such project, plan or task.
    """
    with log.database.snapshot() as reader:
        load_project(reader, slug)
        name = "plan_body" if task is None else "task_body"
        at = {"slug": slug} if task is None else {"slug": slug, "task": task}
        rows = reader.rows(SQL[name], **at)
    if not rows:
        what, next_ = (
            ("plan", f"agentjournal plan add {slug} FILE adds it.")
            if task is None
            else (f"task {task!r}", f"agentjournal plan show {slug} lists them.")
        )
        raise NotFoundError(f"The project {slug!r} has no {what}.", next=next_)
    told: dict[str, object] = dict(rows[0])
    flags = {name: bool(told.pop(f"is_{name}")) for name in _FLAGS if f"is_{name}" in told}
    return str(told["body" if task is None else "text"]).rstrip("\n"), told | flags
