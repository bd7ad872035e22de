"""Reads a task's context in one snapshot, and no further than it can be shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agentjournal.errors import NotFoundError
from agentjournal.execution.context.model import (
    Answer,
    Found,
    GateRow,
    RuledOutRow,
    StepRow,
    TaskContext,
)
from agentjournal.execution.projection.change import stream_of
from agentjournal.execution.reopen_if import note
from agentjournal.execution.task import load_project
from agentjournal.storage.statement import load_statements
from agentjournal.text.canonical import parse_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentjournal.execution.observed import Observed
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Reader, Row, Value

__all__ = ["load_context"]

SQL = load_statements("agentjournal.execution", "sql/read_context.sql")

THERE = 3  # ruled-out options shown of another task
CHILDREN = 1000  # of a container: as ranges they are short


def load_context(  # noqa: PLR0913 - where to read, what, how much
    log: Log, reader: Reader, slug: str, task: str, *, cap: int, observed: Observed
) -> TaskContext:
    """Read what so many bytes can hold: for 6,000 at most ten steps.

    Raises:
        NotFoundError: there is no such project or task.
    """
    read = _Read(reader, slug, task, observed, observed.now or reader.now())
    row = read.task_row(characters=cap)
    latest = read.steps("latest_handoff").rows
    dependencies = read.steps("dependency_handoffs", limit=max(cap // 1000, 1))
    return TaskContext(
        project=slug,
        task=task,
        title=str(row["title"]),
        revision=_number(row["plan_revision"]),
        is_drifted=observed.plan_sha256 not in (None, row["sha256"]),
        ruled_out=read.ruled_out(task, limit=cap // 100),
        latest=latest[0] if latest else None,
        attempts=read.steps("attempts", latest=latest[0].id if latest else "", limit=cap // 500),
        dependencies=read.with_ruled_out(dependencies),
        neighbours=read.with_ruled_out(read.neighbours(dependencies, limit=max(cap // 2000, 1))),
        gates=read.found("open_gates", _gate, limit=cap // 500),
        answer=_answer(log, reader, slug, row),
        children=read.children() if row["is_container"] else (),
        body=str(row["body"]),
        body_bytes=_number(row["bytes"]),
    )


@dataclass(frozen=True)
class _Read:
    reader: Reader
    slug: str
    task: str
    observed: Observed
    now: str

    def rows(self, name: str, **values: Value) -> list[Row]:
        return self.reader.rows(SQL[name], **{"slug": self.slug, "task": self.task} | values)

    def found(self, name: str, read: Callable[[Row], Any], **values: Value) -> Found[Any]:
        rows = self.rows(name, **values)
        return Found(tuple(map(read, rows)), _number(rows[0].get("total", 1)) if rows else 0)

    def task_row(self, characters: int) -> Row:
        for row in self.rows("task", characters=characters):
            return row
        load_project(self.reader, self.slug)
        raise NotFoundError(
            f"The project {self.slug!r} has no task {self.task!r}.",
            next=f"agentjournal plan show {self.slug} lists them.",
        )

    def steps(self, name: str, **values: Value) -> Found[StepRow]:
        return self.found(name, _step, **values)

    def neighbours(self, dependencies: Found[StepRow], limit: int) -> Found[StepRow]:
        """Read the neighbours that do not stand among the dependencies already."""
        known = {step.task for step in dependencies.rows}
        found = self.steps("neighbour_handoffs", limit=limit + len(known))
        others = tuple(step for step in found.rows if step.task not in known)
        return Found(others[:limit], found.total - (len(found.rows) - len(others)))

    def ruled_out(self, task: str, limit: int) -> Found[RuledOutRow]:
        return self.found("ruled_out", self._ruled_out, task=task, limit=limit)

    def with_ruled_out(self, found: Found[StepRow]) -> Found[StepRow]:
        """Add to each step what was ruled out for its task."""
        steps = [replace(step, ruled_out=self.ruled_out(step.task, THERE)) for step in found.rows]
        return Found(tuple(steps), found.total)

    def children(self) -> tuple[str, ...]:
        return tuple(str(row["task"]) for row in self.rows("children", limit=CHILDREN))

    def _ruled_out(self, row: Row) -> RuledOutRow:
        condition, kept = _text(row["reopen_if"]), _text(row["observed"])
        return RuledOutRow(
            id=str(row["id"]),
            actor=str(row["actor"]),
            revision=_number(row["revision"]),
            option=str(row["what"]),
            why=str(row["why"]),
            note=note(condition, kept, self.observed, self.now),
        )


def _answer(log: Log, reader: Reader, slug: str, row: Row) -> Answer | None:
    """Find a person's word that nothing came back after: the last event about the task."""
    last = _number(row["last_seq"])
    for event in log.events(reader, stream_of(slug), last - 1, 1) if last else ():
        if event.kind == "resolve" and not event.hidden:
            said = {name: str(event.body.get(name, "")) for name in ("verb", "why")}
            return Answer(id=event.id, actor=event.actor, **said)
    return None


def _step(row: Row) -> StepRow:
    handoff = parse_json(str(row["handoff"])) if row["handoff"] else {}
    return StepRow(
        id=str(row["id"]),
        task=str(row["task"]),
        attempt=None if row["attempt"] is None else _number(row["attempt"]),
        actor=str(row["actor"]),
        revision=_number(row["revision"]),
        action=str(row["action"]),
        result=str(row["result"]),
        end=_text(row["end_reason"]),
        is_late=bool(row.get("is_late")),
        handoff=handoff if isinstance(handoff, dict) else {},
        shared=_number(row.get("shared")),
        shared_name=str(row.get("shared_name", "")),
    )


def _gate(row: Row) -> GateRow:
    return GateRow(
        category=str(row["category"]),
        operation=str(row["operation"]),
        decision=str(row["decision"]),
        outcome=str(row["outcome"]),
        why=str(row["why"]),
        step=str(row["step"]),
        actor=str(row["actor"]),
        revision=_number(row["revision"]),
    )


def _number(value: Value) -> int:
    return int(value or 0)


def _text(value: Value) -> str | None:
    return None if value is None else str(value)
