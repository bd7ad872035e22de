"""Reads what a brief needs of a project in one snapshot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.brief.stable import Standing
from agentjournal.brief.task_part import Work
from agentjournal.errors import NotFoundError
from agentjournal.execution.names import no_project
from agentjournal.execution.record import record_lines
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from agentjournal.storage.database import Reader, Row

SQL = load_statements("agentjournal.brief", "sql/brief.sql")


@dataclass(frozen=True, kw_only=True)
class Known:
    """What the log says of a project and one of its tasks.

    `returns` are the first close without success and the last one, once where they are one.
    """

    standing: Standing
    work: Work
    returns: tuple[Row, ...]


def read_known(reader: Reader, slug: str, task: str, token: str | None) -> Known:
    """Read the plan's aim, the record above its floor, the task and how it came back.

    Raises:
        NotFoundError: there is no such project or task.
    """
    at = {"slug": slug, "task": task}
    firsts = [
        row for name in ("first_return", "last_return") for row in reader.rows(SQL[name], **at)
    ]
    return Known(
        standing=_standing(reader, slug),
        work=_work(reader, slug, task, token),
        returns=tuple(row for place, row in enumerate(firsts) if row not in firsts[:place]),
    )


def _standing(reader: Reader, slug: str) -> Standing:
    for row in reader.rows(SQL["project"], slug=slug):
        return Standing(
            title=str(row["title"]),
            goal=str(row["goal"]),
            record=record_lines(reader, slug),
            below=int(row["floor"] or 0),
        )
    raise no_project(reader, slug)


def _work(reader: Reader, slug: str, task: str, token: str | None) -> Work:
    for row in reader.rows(SQL["task"], slug=slug, task=task):
        return Work(
            slug=slug,
            task=task,
            title=str(row["title"]),
            body=str(row["body"]),
            attempt=int(row["open_attempt"] or 0) or int(row["attempts"] or 0) + 1,
            token=token,
        )
    raise NotFoundError(
        f"The project {slug!r} has no task {task!r}.",
        next=f"`agentjournal plan show {slug}` lists them.",
    )
