"""The names that a store knows: its projects, their tasks, where their plans came from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.errors import NotFoundError
from agentjournal.storage.statement import load_statements
from agentjournal.text.bounded import fit
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.log.log import Log
    from agentjournal.storage.database import Reader, Row

__all__ = ["no_project", "plan_file", "project_slugs", "projects", "projects_text", "task_ids"]

LINE_BYTES = 200
NAMED = 5
NONE = "There is no project yet. Next: agentjournal plan add SLUG FILE registers a plan."
SQL = load_statements("agentjournal.execution", "sql/read_names.sql")


def project_slugs(log: Log) -> list[str]:
    """Give every project's slug, in order."""
    return [str(row["slug"]) for row in log.database.rows(SQL["project_slugs"])]


def no_project(reader: Reader, slug: str) -> NotFoundError:
    """Give the error for a slug without a plan; it names some projects that have one."""
    slugs = [str(row["slug"]) for row in reader.rows(SQL["project_slugs"])]
    named = ", ".join(slugs[:NAMED]) + (", ..." if len(slugs) > NAMED else "")
    others = f" There is: {named}." if slugs else ""
    return NotFoundError(
        f"There is no project {slug!r}.",
        next=f"agentjournal plan add {slug} FILE registers one.{others}",
    )


def projects(log: Log) -> list[Row]:
    """Give every project: slug, title, revision and number of tasks."""
    return log.database.rows(SQL["projects"])


def projects_text(rows: Sequence[Row], cap: int) -> str:
    """Name the projects in at most `cap` bytes, a line each."""
    lines = [
        one_line(f"{row['slug']!s}: {row['title']!s}, {row['tasks']!s} tasks", LINE_BYTES)
        for row in rows
    ]
    return fit(lines or [NONE], cap, lambda count: f"({count} more.)")


def task_ids(log: Log, slug: str) -> list[str]:
    """Give the ids of a project's tasks, in the plan's order."""
    return [str(row["task"]) for row in log.database.rows(SQL["task_ids"], slug=slug)]


def plan_file(log: Log, slug: str) -> str | None:
    """Give the path that the project's plan was read from, as it was told then."""
    rows = log.database.rows(SQL["plan_file"], slug=slug)
    return str(rows[0]["path"]) if rows else None
