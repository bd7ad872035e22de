"""Which task a worker is sent to next: the lowest place in the plan among failed and ready ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.execution.policy import DEFAULT_LIMITS
from agentjournal.execution.status import statuses
from agentjournal.execution.task import load_facts, load_leases, load_project

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agentjournal.execution.policy import Limits
    from agentjournal.execution.status import Status
    from agentjournal.execution.task import TaskFacts
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Reader

__all__ = ["dispatch_order", "load_statuses", "next_task"]


def dispatch_order(
    tasks: Sequence[TaskFacts], found: Mapping[str, Status], *, optional: bool = False
) -> list[str]:
    """Give every task that a worker may be sent to now, in order; optional ones only if asked."""
    return [
        task.id
        for task in sorted(tasks, key=lambda task: (task.place, task.id))
        if found[task.id].is_dispatchable
        and not task.is_container
        and (optional or not task.is_optional)
    ]


def load_statuses(
    reader: Reader, slug: str, limits: Limits, now: str | None = None
) -> tuple[tuple[TaskFacts, ...], dict[str, Status]]:
    """Read a project's tasks and their statuses; `now` is the database's clock unless given.

    Raises:
        NotFoundError: there is no such project.
    """
    load_project(reader, slug)
    tasks = load_facts(reader, slug)
    return tasks, statuses(tasks, load_leases(reader, slug), limits, now or reader.now())


def next_task(log: Log, slug: str, *, limits: Limits = DEFAULT_LIMITS) -> str | None:
    """Give the task to send a worker to, None where there is none.

    Raises:
        NotFoundError: there is no such project.
    """
    with log.database.snapshot() as reader:
        order = dispatch_order(*load_statuses(reader, slug, limits))
    return order[0] if order else None
