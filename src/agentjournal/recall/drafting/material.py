"""What the log of a project holds for a document: read once, bounded, nothing that was taken back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.execution.names import no_project
from agentjournal.execution.projection.change import stream_of
from agentjournal.storage.statement import load_statements
from agentjournal.text.canonical import parse_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.log.log import Log
    from agentjournal.storage.database import Reader, Row

__all__ = ["Close", "Material", "Rows", "document_id", "draft_id", "load_material"]

SQL = load_statements("agentjournal.recall", "sql/draft.sql")

TASKS = 200
CLAIMS = 60
CLOSES = 200
TOUCHES = 200
COMMITS = 10
GATES = 20


@dataclass(frozen=True)
class Rows:
    """The newest rows of a kind, oldest first, and how many there are in all."""

    shown: tuple[Row, ...]
    total: int

    @property
    def left_out(self) -> int:
        """Count the rows that are not shown."""
        return self.total - len(self.shown)


@dataclass(frozen=True, kw_only=True)
class Close:
    """One attempt as it was closed, in the worker's own words."""

    id: str
    task: str
    attempt: int | None
    actor: str
    revision: int
    action: str
    result: str
    end: str
    handoff: Mapping[str, object]
    files: tuple[str, ...] = ()

    def texts(self, name: str) -> list[Mapping[str, str]]:
        """Give the items of a list in the handoff."""
        held = self.handoff.get(name, [])
        return [each for each in held if isinstance(each, dict)] if isinstance(held, list) else []


@dataclass(frozen=True, kw_only=True)
class Material:
    """What there is to say about a project; `plan` is the one under which work began."""

    slug: str
    title: str
    began_at: str
    ended_at: str
    plan: Row | None
    revision: int
    tasks: Rows
    results: Mapping[str, int]
    closes: tuple[Close, ...]
    decisions: Rows
    ruled_out: Rows
    touches: Rows
    commits: tuple[str, ...]
    gates: Rows


def load_material(log: Log, slug: str) -> Material:
    """Read what a project's log holds, all of one moment.

    Raises:
        NotFoundError: there is no such project.
    """
    with log.database.snapshot() as reader:
        return _material(reader, slug, _project(reader, slug))


def document_id(log: Log, slug: str) -> str:
    """Name the one document of a project.

    Raises:
        NotFoundError: there is no such project.
    """
    with log.database.snapshot() as reader:
        return draft_id(slug, str(_project(reader, slug)["began_at"] or ""))


def draft_id(slug: str, began_at: str) -> str:
    """Name a project's document by the day on which it was registered: that never changes."""
    return f"{began_at[:10].replace('-', '')}-{slug}"


def _project(reader: Reader, slug: str) -> Row:
    for project in reader.rows(SQL["project"], slug=slug, stream=stream_of(slug)):
        return project
    raise no_project(reader, slug)


def _material(reader: Reader, slug: str, project: Row) -> Material:
    closes = _newest(reader, "closes", slug, CLOSES).shown
    began = str(project["began_at"] or "")
    return Material(
        slug=slug,
        title=str(project["title"] or slug),
        began_at=began,
        ended_at=str(project["ended_at"] or began),
        plan=next(iter(reader.rows(SQL["registered"], slug=slug)), None),
        revision=int(project["revision"] or 0),
        tasks=_rows(reader, "tasks", slug, TASKS),
        results={
            str(row["word"]): int(row["count"] or 0)
            for row in reader.rows(SQL["results"], slug=slug)
        },
        closes=tuple(_close(reader, slug, row) for row in closes),
        decisions=_newest(reader, "decisions", slug, CLAIMS),
        ruled_out=_newest(reader, "ruled_out", slug, CLAIMS),
        touches=_rows(reader, "touches", slug, TOUCHES),
        commits=tuple(
            str(row["ref"]) for row in reader.rows(SQL["commits"], slug=slug, limit=COMMITS)
        ),
        gates=_newest(reader, "gates", slug, GATES),
    )


def _rows(reader: Reader, name: str, slug: str, limit: int) -> Rows:
    rows = tuple(reader.rows(SQL[name], slug=slug, limit=limit))
    return Rows(rows, int(rows[0]["total"] or 0) if rows else 0)


def _newest(reader: Reader, name: str, slug: str, limit: int) -> Rows:
    found = _rows(reader, name, slug, limit)
    return Rows(tuple(reversed(found.shown)), found.total)


def _close(reader: Reader, slug: str, row: Row) -> Close:
    handoff = parse_json(str(row["handoff"])) if row["handoff"] else {}
    task = str(row["task"] or "")
    files = reader.rows(SQL["task_files"], slug=slug, task=task, limit=10) if task else []
    return Close(
        id=str(row["id"]),
        task=task,
        attempt=int(row["attempt"]) if row["attempt"] is not None else None,
        actor=str(row["actor"]),
        revision=int(row["revision"] or 0),
        action=str(row["action"]),
        result=str(row["result"]),
        end=str(row["end_reason"] or ""),
        handoff=handoff if isinstance(handoff, dict) else {},
        files=tuple(str(each["name"]) for each in files),
    )
