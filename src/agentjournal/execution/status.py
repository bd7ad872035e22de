"""The one word for where a task stands, derived from facts whenever somebody asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from agentjournal.execution.citation import quoted_line
from agentjournal.execution.policy import verdict
from agentjournal.execution.readiness import is_skipped, readiness

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agentjournal.execution.policy import Limits
    from agentjournal.execution.readiness import Readiness
    from agentjournal.execution.task import TaskFacts

__all__ = ["WORDS", "Status", "Word", "statuses"]

Word = Literal["pending", "ready", "in_flight", "done", "failed", "skipped", "blocked", "stale"]
WORDS: tuple[Word, ...] = (
    "done",
    "stale",
    "in_flight",
    "ready",
    "failed",
    "blocked",
    "skipped",
    "pending",
)


@dataclass(frozen=True)
class Status:
    """A word, what it leaves open, and whether the task waits for another."""

    word: Word
    detail: str = ""
    is_waiting: bool = False

    @property
    def is_dispatchable(self) -> bool:
        """Say whether a worker may be sent to it now."""
        return self.word in ("ready", "failed") and not self.is_waiting

    def __str__(self) -> str:
        match self.word, self.detail:
            case word, "":
                return word
            case "blocked", detail:
                return f"blocked: {detail}"
            case word, detail:
                return f"{word} ({detail})"


def statuses(
    tasks: Sequence[TaskFacts], leases: Mapping[str, str], limits: Limits, now: str
) -> dict[str, Status]:
    """Give every task its status.

    `leases` says until when each open attempt is leased, `now` what time the database has. A
    container reads `n of m`, counting the tasks below it that have to be done.
    """
    read = _Reading(readiness(tasks), leases, limits, now)
    return {
        task.id: read.container(task) if task.is_container else read.leaf(task) for task in tasks
    }


@dataclass(frozen=True)
class _Reading:
    plan: Readiness
    leases: Mapping[str, str]
    limits: Limits
    now: str

    def container(self, task: TaskFacts) -> Status:
        below = self.plan.needs[task.id]
        count = sum(name in self.plan.done for name in below)
        return Status("done" if count == len(below) else "pending", f"{count} of {len(below)}")

    def leaf(self, task: TaskFacts) -> Status:
        if task.id in self.plan.done:
            return Status("stale" if task.is_stale else "done")
        if is_skipped(task):
            return Status("skipped")
        if task.open_attempt is not None:
            is_alive = self.leases.get(task.id, "") > self.now
            return Status("in_flight", "" if is_alive else "lease ran out")
        if task.last_result == "success":
            return Status("blocked", "dependencies unmet", is_waiting=True)
        return self._unfinished(task)

    def _unfinished(self, task: TaskFacts) -> Status:
        is_waiting = task.id in self.plan.waiting
        answer = verdict(task, self.limits)
        if answer.kind == "escalate":
            return Status("blocked", answer.why, is_waiting)
        if skipped := self.plan.skipped_needs.get(task.id):
            return Status("blocked", f"{quoted_line(skipped)} was skipped", is_waiting)
        if task.last_result is not None:
            return Status("failed", f"{task.closes} of {self.limits.max_attempts}", is_waiting)
        return Status("pending" if is_waiting else "ready", "", is_waiting)
