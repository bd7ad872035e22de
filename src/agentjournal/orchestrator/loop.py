"""Carry out a plan, worker after worker; between two cycles nothing is kept but counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Protocol

from agentjournal.errors import ConflictError, NotFoundError
from agentjournal.execution.dispatch import dispatch_order, load_statuses
from agentjournal.orchestrator.awake import Awake
from agentjournal.orchestrator.escalate import escalate_blocked
from agentjournal.orchestrator.reaping import reap_workers
from agentjournal.orchestrator.run import Job, run_worker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agentjournal.brief.brief import Brief
    from agentjournal.execution.reap import Reaped
    from agentjournal.execution.status import Status
    from agentjournal.execution.task import TaskFacts
    from agentjournal.orchestrator.run import Run
    from agentjournal.orchestrator.stop import StopRequest
    from agentjournal.orchestrator.workshop import Workshop

__all__ = ["Approval", "Listener", "LoopEnd", "Proposal", "Standing", "loop", "standing"]


Why = Literal["done", "blocked", "in flight elsewhere", "until", "stopped"]


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Where the project stands: the next task to dispatch, and what holds up the rest."""

    next: TaskFacts | None
    status: Mapping[str, Status]
    required: frozenset[str]

    @property
    def is_done(self) -> bool:
        """Say whether nothing that has to be done is left."""
        return all(self.status[task].word in ("done", "stale", "skipped") for task in self.required)

    @property
    def in_flight(self) -> list[str]:
        """Name the tasks that somebody works on."""
        return [task for task, status in self.status.items() if status.word == "in_flight"]


@dataclass(frozen=True)
class Proposal:
    """What the loop is about to do."""

    task: TaskFacts
    status: Status


@dataclass(frozen=True)
class Approval:
    """A person's answer to a proposal; `edit` changes the brief before the worker gets it."""

    word: Literal["go", "skip", "stop"]
    edit: Callable[[Brief], Brief] | None = None


class Listener(Protocol):
    """Hears what the loop does, and is asked before each dispatch."""

    def approve(self, proposal: Proposal) -> Approval:
        """Answer whether to go on with it."""
        ...

    def reaped(self, attempts: list[Reaped]) -> None:
        """Hear of attempts whose worker was gone."""
        ...

    def ended(self, task: TaskFacts, run: Run, status: Status) -> None:
        """Hear how a worker ended and where its task stands now."""
        ...

    def escalated(self, task: str, why: str) -> None:
        """Hear that a task waits for a person."""
        ...


@dataclass(frozen=True, kw_only=True)
class LoopEnd:
    """Why the loop ended, and where the project stands."""

    why: Why
    standing: Standing
    dispatched: int

    @property
    def exit_code(self) -> int:
        """Give 0 where all that was asked is done, else 1."""
        return 0 if self.why in ("done", "until") else 1


def loop(
    shop: Workshop,
    template: Job,
    listener: Listener,
    stop: StopRequest,
    *,
    until: str | None = None,
) -> LoopEnd:
    """Dispatch the first task that may be worked on, until there is none, or `until` is done.

    Raises:
        ForeignProgramError: the worker's command could not be started.
        NotFoundError: there is no such project.
    """
    if until is not None and until not in standing(shop, template.slug).status:
        raise NotFoundError(
            f"There is no task {until!r} in {template.slug}.",
            next=f"`agentjournal plan show {template.slug}` lists the tasks.",
        )
    skipped: set[str] = set()
    dispatched = 0
    awake = Awake(shop.clock)
    while True:
        if awake.slept() > shop.heartbeat_seconds:
            stop.wait(shop.heartbeat_seconds)  # whoever slept with us sends a heartbeat first
        _tidy(shop, template.slug, listener)
        now = standing(shop, template.slug, frozenset(skipped))
        if why := _over(now, until, stop):
            return LoopEnd(why=why, standing=now, dispatched=dispatched)
        task = now.next
        if task is None:
            held: Why = "in flight elsewhere" if now.in_flight else "blocked"
            return LoopEnd(why=held, standing=now, dispatched=dispatched)
        approval = listener.approve(Proposal(task, now.status[task.id]))
        if approval.word == "stop":
            return LoopEnd(why="stopped", standing=now, dispatched=dispatched)
        if approval.word == "skip":
            skipped.add(task.id)
            continue
        job = replace(template, task=task.id, edit=approval.edit)
        if _dispatch(shop, job, task, listener, stop):
            dispatched += 1
        else:
            skipped.add(task.id)


def standing(shop: Workshop, slug: str, skipped: frozenset[str] = frozenset()) -> Standing:
    """Read where a project stands, in one snapshot.

    Raises:
        NotFoundError: there is no such project.
    """
    with shop.log.database.snapshot() as reader:
        facts, status = load_statuses(reader, slug, shop.limits)
    by_id = {task.id: task for task in facts}
    order = [task for task in dispatch_order(facts, status) if task not in skipped]
    required = frozenset(t.id for t in facts if not t.is_optional and not t.is_container)
    return Standing(next=by_id[order[0]] if order else None, status=status, required=required)


def _tidy(shop: Workshop, slug: str, listener: Listener) -> None:
    """Close what died, and say of what is stuck that it waits for a person."""
    if gone := reap_workers(shop, slug):
        listener.reaped(gone)
    for task, why in escalate_blocked(shop, slug):
        listener.escalated(task, why)


def _over(now: Standing, until: str | None, stop: StopRequest) -> Why | None:
    if stop.number is not None:
        return "stopped"
    if until is not None and now.status[until].word == "done":
        return "until"
    return "done" if now.is_done else None


def _dispatch(
    shop: Workshop, job: Job, task: TaskFacts, listener: Listener, stop: StopRequest
) -> bool:
    """Send one worker; False where somebody else was faster with the same task."""
    try:
        run = run_worker(shop, job, stop)
    except ConflictError:
        return False
    listener.ended(task, run, standing(shop, job.slug).status[job.task])
    return True
