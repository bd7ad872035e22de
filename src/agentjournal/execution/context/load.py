"""Reads a task's context in one snapshot, and no further than it can be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agentjournal.errors import NotFoundError
from agentjournal.execution.context.model import (
    Answer,
    Found,
    Gate,
    Related,
    RuledOutItem,
    TaskContext,
)
from agentjournal.execution.drift import is_drifted
from agentjournal.execution.plan.order import waits
from agentjournal.execution.projection.change import stream_of
from agentjournal.execution.quoted import quoted_step
from agentjournal.execution.reopen_if import note
from agentjournal.execution.task import load_order, load_project
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentjournal.execution.observed import Observed
    from agentjournal.execution.quoted import QuotedStep
    from agentjournal.execution.task import TaskFacts
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Reader, Row, Value

__all__ = ["load_context"]

SQL = load_statements("agentjournal.execution", "sql/read_context.sql")

THERE = 3  # ruled-out options shown of another task
CHILDREN = 1000  # of a container: as ranges they are short


def load_context(log: Log, slug: str, task: str, *, cap: int, observed: Observed) -> TaskContext:
    """Read what so many bytes can hold: for 6,000 at most ten handoffs.

    Raises:
        NotFoundError: there is no such project or task.
    """
    with log.database.snapshot() as reader:
        read = _Read(log, reader, slug, task, observed, observed.now or reader.now())
        row = read.task_row(characters=cap)
        latest = read.latest(task)
        dependencies = read.dependencies(limit=max(cap // 1000, 1))
        return TaskContext(
            project=slug,
            task=task,
            title=row["title"],
            revision=row["plan_revision"],
            is_drifted=is_drifted(observed, row["sha256"]),
            ruled_out=read.ruled_out(task, limit=cap // 100),
            latest=latest,
            attempts=read.steps("attempts", latest=latest.id if latest else "", limit=cap // 500),
            dependencies=dependencies,
            neighbours=read.neighbours(dependencies, limit=max(cap // 2000, 1)),
            gates=read.found("open_gates", lambda found: Gate(**found), limit=cap // 500),
            answer=read.answer(row["last_seq"]),
            children=read.children() if row["is_container"] else (),
            body=row["body"],
            body_bytes=row["bytes"],
        )


@dataclass(frozen=True)
class _Read:
    log: Log
    reader: Reader
    slug: str
    task: str
    observed: Observed
    now: str

    def rows(self, name: str, **values: Value) -> list[Row]:
        return self.reader.rows(SQL[name], **{"slug": self.slug, "task": self.task} | values)

    def found(self, name: str, read: Callable[[Any], Any], **values: Value) -> Found[Any]:
        """Read rows that each carry the `total` of all."""
        rows = self.rows(name, **values)
        totals = [int(row.pop("total") or 0) for row in rows]
        return Found(tuple(map(read, rows)), totals[0] if totals else 0)

    def task_row(self, characters: int) -> dict[str, Any]:
        for row in self.rows("task", characters=characters):
            return dict(row)
        load_project(self.reader, self.slug)
        raise NotFoundError(
            f"The project {self.slug!r} has no task {self.task!r}.",
            next=f"agentjournal plan show {self.slug} lists them.",
        )

    def steps(self, name: str, **values: Value) -> Found[QuotedStep]:
        return self.found(name, quoted_step, **values)

    def latest(self, task: str) -> QuotedStep | None:
        return next(iter(self.steps("latest_handoff", task=task).rows), None)

    def dependencies(self, limit: int) -> Found[Related]:
        """Read the newest handoffs of the tasks that this one waits for, done or not."""
        tasks = {task.id: task for task in load_order(self.reader, self.slug)}
        needs = waits(tuple(tasks.values()), frozenset()).get(self.task, ())
        worked_on = [tasks[name] for name in needs if name in tasks and _is_worked_on(tasks[name])]
        worked_on.sort(key=lambda task: task.last_seq, reverse=True)
        looked_at = [self.latest(task.id) for task in worked_on[:limit]]
        found = [Related(step=step, ruled_out=self.there(step)) for step in looked_at if step]
        return Found(tuple(found), len(worked_on) - len(looked_at) + len(found))

    def neighbours(self, dependencies: Found[Related], limit: int) -> Found[Related]:
        """Read the neighbours that do not stand among the dependencies already."""
        known = {each.step.task for each in dependencies.rows}
        found = self.found("neighbour_handoffs", self._neighbour, limit=limit + len(known))
        others = tuple(each for each in found.rows if each.step.task not in known)
        return Found(others[:limit], found.total - (len(found.rows) - len(others)))

    def ruled_out(self, task: str, limit: int) -> Found[RuledOutItem]:
        return self.found("ruled_out", self._ruled_out, task=task, limit=limit)

    def answer(self, last_seq: int) -> Answer | None:
        """Find a person's word, where that is the last thing that changed the task's facts."""
        stream = stream_of(self.slug)
        for event in self.log.events(self.reader, stream, last_seq - 1, 1) if last_seq else ():
            if event.kind == "resolve" and not event.hidden:
                said = {name: str(event.body.get(name, "")) for name in ("verb", "why")}
                return Answer(id=event.id, actor=event.actor, **said)
        return None

    def children(self) -> tuple[str, ...]:
        return tuple(str(row["task"]) for row in self.rows("children", limit=CHILDREN))

    def there(self, step: QuotedStep) -> Found[RuledOutItem]:
        return self.ruled_out(str(step.task), limit=THERE)

    def _neighbour(self, row: dict[str, Any]) -> Related:
        step = quoted_step(row)
        return Related(
            step=step,
            shared=row["shared"],
            shared_name=row["shared_name"],
            ruled_out=self.there(step),
        )

    def _ruled_out(self, row: dict[str, Any]) -> RuledOutItem:
        return RuledOutItem(
            id=row["id"],
            actor=row["actor"],
            revision=row["revision"],
            option=row["what"],
            why=row["why"],
            note=note(row["reopen_if"], row["observed"], self.observed, self.now),
        )


def _is_worked_on(task: TaskFacts) -> bool:
    """Say whether somebody may have handed something off: what was ticked before has no handoff."""
    return task.attempts > 0 and task.last_end != "import"
