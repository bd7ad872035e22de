"""The names that a store knows: its projects, their tasks, where their plans came from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from agentjournal.log.log import Log

__all__ = ["plan_file", "project_slugs", "task_ids"]

SQL = load_statements("agentjournal.execution", "sql/read_names.sql")


def project_slugs(log: Log) -> list[str]:
    """Give every project's slug, in order."""
    return [str(row["slug"]) for row in log.database.rows(SQL["project_slugs"])]


def task_ids(log: Log, slug: str) -> list[str]:
    """Give the ids of a project's tasks, in the plan's order."""
    return [str(row["task"]) for row in log.database.rows(SQL["task_ids"], slug=slug)]


def plan_file(log: Log, slug: str) -> str | None:
    """Give the path that the project's plan was read from, as it was told then."""
    rows = log.database.rows(SQL["plan_file"], slug=slug)
    return str(rows[0]["path"]) if rows else None
