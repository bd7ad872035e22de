"""The facts of a project's tasks as the projections keep them; the word for them is derived."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from agentjournal.execution.names import no_project
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.execution.step import End, Result
    from agentjournal.storage.database import Reader, Row

__all__ = ["TaskFacts", "load_facts", "load_leases", "load_order", "load_project"]

SQL = load_statements("agentjournal.execution", "sql/read_task.sql")


@dataclass(frozen=True, kw_only=True)
class TaskFacts:
    """What the plan says of a task's order, and what its closes left behind.

    `depends` are explicit dependencies only. `closes`, `crashes` and `contracts_missing` count
    since the last `resolve --retry`, which `retried_seq` places; `resolution` is a person's `done` or
    `skip`.
    """

    id: str
    place: int = 0
    title: str = ""
    section: str = ""
    section_place: int = 1
    rank: int = 1
    parent: str | None = None
    depends: tuple[str, ...] = ()
    is_container: bool = False
    is_optional: bool = False
    is_explicit: bool = False
    is_discovered: bool = False
    is_stale: bool = False
    attempts: int = 0
    open_attempt: int | None = None
    closes: int = 0
    crashes: int = 0
    contracts_missing: int = 0
    last_result: Result | None = None
    last_end: End | None = None
    last_step: str | None = None
    last_seq: int = 0
    is_same_fingerprint: bool = False
    has_new_ruled_out: bool = False
    has_question_only: bool = False
    why: str | None = None
    resolution: str | None = None
    retried_seq: int = 0


_FLAGS = frozenset(each.name for each in fields(TaskFacts) if each.type == "bool")


def load_project(reader: Reader, slug: str) -> Row:
    """Give the project's row.

    Raises:
        NotFoundError: there is no such project.
    """
    for row in reader.rows(SQL["project_row"], slug=slug):
        return row
    raise no_project(reader, slug)


def load_facts(reader: Reader, slug: str) -> tuple[TaskFacts, ...]:
    """Give the facts of every task that the plan still holds, in the plan's order."""
    return _load(reader, slug, "task_facts")


def load_order(reader: Reader, slug: str) -> tuple[TaskFacts, ...]:
    """Give of every task only what its order depends on, and what came of it last."""
    return _load(reader, slug, "task_order")


def load_leases(reader: Reader, slug: str) -> dict[str, str]:
    """Give, for each task with an open attempt and a lease, until when the lease runs."""
    return {str(row["task"]): str(row["until"]) for row in reader.rows(SQL["leases"], slug=slug)}


def _load(reader: Reader, slug: str, statement: str) -> tuple[TaskFacts, ...]:
    needs: defaultdict[str, list[str]] = defaultdict(list)
    for row in reader.rows(SQL["dependencies"], slug=slug):
        needs[str(row["task"])].append(str(row["needs"]))
    return tuple(_facts(row, needs) for row in reader.rows(SQL[statement], slug=slug))


def _facts(row: Row, needs: Mapping[str, list[str]]) -> TaskFacts:
    values: dict[str, Any] = dict(row)
    for name in _FLAGS & values.keys():
        values[name] = bool(values[name])
    return TaskFacts(**values, depends=tuple(needs.get(values["id"], ())))
