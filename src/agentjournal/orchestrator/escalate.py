"""A task that waits for a person is said once in the log, with every attempt that led there."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from agentjournal.execution.policy import verdict
from agentjournal.execution.step import Step
from agentjournal.execution.task import load_facts
from agentjournal.execution.write import log_step
from agentjournal.storage.statement import load_statements
from agentjournal.system.identity import uuid7
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from agentjournal.execution.task import TaskFacts
    from agentjournal.orchestrator.workshop import Workshop
    from agentjournal.storage.database import Reader

__all__ = ["escalate_blocked"]

SQL = load_statements(__package__, "sql/escalate.sql")
ACTOR = "orchestrator"
ACTION_BYTES = 120


def escalate_blocked(shop: Workshop, slug: str) -> list[tuple[str, str]]:
    """Record an escalation for every task whose policy asks for a person; give the new ones.

    The step's id follows from the close that led to it, so that it is recorded once, by whichever
    process comes first, also after a crash between the two.
    """
    with shop.log.database.snapshot() as reader:
        due = [
            (task, answer.why, _attempts(reader, slug, task.id))
            for task in load_facts(reader, slug)
            if _is_open(task)
            and (answer := verdict(task, shop.limits)).kind == "escalate"
            and shop.log.find(reader, _id(task)) is None
        ]
    for task, why, attempts in due:
        log_step(shop.log, _step(shop, slug, task, why, attempts), new_id=shop.new_id)
    return [(task.id, why) for task, why, _ in due]


def _is_open(task: TaskFacts) -> bool:
    return task.last_step is not None and task.resolution is None and task.open_attempt is None


def _id(task: TaskFacts) -> str:
    """Derive the escalation's id from that of the close: the same millisecond, other random bits."""
    closed = str(task.last_step)
    milliseconds = int(closed.replace("-", "")[:12], 16)
    digest = hashlib.sha256(f"escalate {closed}".encode()).digest()
    return uuid7(datetime.fromtimestamp(milliseconds / 1000, UTC), lambda count: digest[:count])


def _step(shop: Workshop, slug: str, task: TaskFacts, why: str, attempts: list[str]) -> Step:
    return Step(
        id=_id(task),
        project_slug=slug,
        actor=ACTOR,
        action=one_line(f"Escalated {task.id}: {why}", ACTION_BYTES),
        result="gated",
        ended_at=shop.now(),
        log="\n".join([f"{task.id} waits for a person: {why}.", *attempts]),
    )


def _attempts(reader: Reader, slug: str, task: str) -> list[str]:
    return [
        f"attempt {row['number']!s}: {row['result']!s} ({row['end_reason']!s}), step {row['step']!s}"
        for row in reader.rows(SQL["closed_attempts"], slug=slug, task=task)
    ]
