"""Give one task to one worker, and write how it ended, whatever happens to it or to us."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.brief.build import build_brief
from agentjournal.errors import AgentJournalError, ConflictError, StoreError
from agentjournal.execution.attempt import Held, NotReady, Opened, open_attempt, set_worker
from agentjournal.execution.contract import token_digest
from agentjournal.execution.ending import Ending
from agentjournal.orchestrator.base_url import Seat, base_urls
from agentjournal.orchestrator.close import Closed, close_or_spool
from agentjournal.orchestrator.desk import Desk
from agentjournal.orchestrator.heartbeat import beating
from agentjournal.orchestrator.own_step import own_step
from agentjournal.orchestrator.pickup import pick_up
from agentjournal.orchestrator.reaping import taken
from agentjournal.orchestrator.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from agentjournal.brief.brief import Brief
    from agentjournal.execution.attempt import Claim
    from agentjournal.execution.step import End
    from agentjournal.orchestrator.capture import Sink
    from agentjournal.orchestrator.pickup import HandedOff
    from agentjournal.orchestrator.stop import StopRequest
    from agentjournal.orchestrator.worker import Ended
    from agentjournal.orchestrator.workshop import Workshop

__all__ = ["NOT_FOUND", "Job", "Run", "claim", "run_worker"]

NOT_FOUND = 127
OUTPUT_SHOWN = 8_000  # characters of a worker's last output that a close keeps


@dataclass(frozen=True, kw_only=True)
class Job:
    """One dispatch: which task, which command, for how long.

    `sinks` get the worker's output and errors as they come; `edit` may change the part of the brief
    that is for this attempt only.
    """

    slug: str
    task: str
    command: tuple[str, ...]
    actor: str
    timeout: float
    sinks: tuple[Sequence[Sink], Sequence[Sink]] = ((), ())
    edit: Callable[[Brief], Brief] | None = None


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """An attempt that is ours."""

    claim_id: str
    token: str
    opened: Opened
    opened_at: str


@dataclass(frozen=True, kw_only=True)
class Run:
    """How a dispatch ended: the exit code for the shell, the close, and which attempt it was."""

    exit_code: int
    closed: Closed
    number: int


def claim(shop: Workshop, job: Job) -> Attempt:
    """Open the attempt for a worker of ours.

    Raises:
        ConflictError: somebody else has the task, or its status does not allow an attempt.
    """
    claim_id, token, at = shop.new_id(), shop.new_token(), shop.now()

    def ask() -> Claim:
        return open_attempt(
            shop.log,
            slug=job.slug,
            task=job.task,
            claim_id=claim_id,
            token=token,
            holder="wrapper",
            actor=job.actor,
            at=at,
            lease=shop.machine.lease(shop.lease_seconds),
            limits=shop.limits,
        )

    answer = taken(shop, job.slug, ask)
    return Attempt(claim_id=claim_id, token=token, opened=given(job.task, answer), opened_at=at)


def given(task: str, answer: Claim) -> Opened:
    """Give the opened attempt.

    Raises:
        ConflictError: the claim was not granted.
    """
    match answer:
        case Opened():
            return answer
        case Held(actor=actor, until=until):
            raise ConflictError(
                f"{task} is held by {actor} until {until}.",
                next="Wait, or `agentjournal reap` where that worker is gone.",
            )
        case NotReady(status=status):
            raise ConflictError(
                f"{task} is {status}: no attempt can be opened.",
                next="`agentjournal state` shows what is ready; `agentjournal resolve` is a person's word.",
            )


def run_worker(shop: Workshop, job: Job, stop: StopRequest) -> Run:
    """Open an attempt, give the worker its brief, wait, and write the closing step.

    Raises:
        ConflictError: the attempt could not be opened; nothing was started.
        ForeignProgramError: there is no such command; the attempt is closed and does not count.
    """
    attempt = claim(shop, job)
    desk = Desk.of(shop.attempts, attempt.claim_id)
    ending_id = shop.new_id()
    try:
        worker = _start(shop, job, attempt, desk)
    except AgentJournalError as error:
        ending = _ending(shop, job, attempt, ending_id, end="spawn_failed", output=str(error))
        close_or_spool(shop, ending, None)
        desk.clear()
        raise
    ended = _attend(shop, job, attempt, worker, stop)
    closed = _hand_in(shop, job, attempt, desk, ending_id, ended)
    desk.clear()
    return Run(exit_code=_exit_code(ended, stop), closed=closed, number=attempt.opened.number)


def _start(shop: Workshop, job: Job, attempt: Attempt, desk: Desk) -> Worker:
    """Lay the desk and start the worker; it runs only once the store knows its process."""
    brief = build_brief(
        shop.log,
        job.slug,
        job.task,
        token=attempt.token,
        observed=shop.observed(job.slug),
        sources=shop.sources(),
        caps=shop.caps,
    )
    desk.lay(job.edit(brief) if job.edit else brief)
    shop.note_served(job.slug, brief)
    base = {**shop.environment, "AGENTJOURNAL_ACTOR": job.actor}
    if shop.proxy is not None:
        base |= base_urls(shop.proxy, Seat(job.slug, job.task, token_digest(attempt.token)))
    worker = Worker.start(
        job.command,
        folder=shop.folder,
        environment=desk.environment(base, slug=job.slug, task=job.task, token=attempt.token),
        stdin=desk.brief,
        sinks=job.sinks,
    )
    try:
        set_worker(
            shop.log,
            slug=job.slug,
            task=job.task,
            number=attempt.opened.number,
            pid=worker.process.pid,
            started=worker.started,
        )
    except AgentJournalError:
        worker.abandon()
        raise
    return worker


def _attend(shop: Workshop, job: Job, attempt: Attempt, worker: Worker, stop: StopRequest) -> Ended:
    worker.release()
    with beating(shop, job.slug, job.task, attempt.opened.number):
        return worker.wait(job.timeout, stop)


def _hand_in(  # noqa: PLR0913, PLR0917 - what is known at a worker's end
    shop: Workshop, job: Job, attempt: Attempt, desk: Desk, ending_id: str, ended: Ended
) -> Closed:
    """Take the handoff from the file, else from the output, else from what the worker logged."""
    found = pick_up(desk.handoff(), ended.output, attempt.token)
    written = (found.fields or found.text) if found else None
    if written is None:
        with suppress(StoreError):  # it stands in the log; the close has to be kept all the same
            written = own_step(shop.log, job.slug, job.task, attempt.opened.number)
    ending = _ending(
        shop,
        job,
        attempt,
        ending_id,
        end=_end_word(ended),
        exit_status=ended.exit_status,
        output=_last_output(ended),
    )
    source = found.source if found else "file"
    blobs = _blobs(shop, job.slug, found)
    return close_or_spool(shop, ending, written, source=source, blobs=blobs)


def _blobs(shop: Workshop, slug: str, found: HandedOff | None) -> Mapping[str, str] | None:
    """Look at the working tree where an option may speak of its files; no close fails for that."""
    if found is None or "reopen_if" not in found.text:
        return None
    try:
        return shop.observed(slug).blobs
    except StoreError:
        return None


def _ending(  # noqa: PLR0913 - the fields of an ending
    shop: Workshop,
    job: Job,
    attempt: Attempt,
    ending_id: str,
    *,
    end: End,
    exit_status: int | None = None,
    output: str = "",
) -> Ending:
    return Ending(
        id=ending_id,
        project_slug=job.slug,
        plan_ref=job.task,
        attempt=token_digest(attempt.token),
        actor=job.actor,
        started_at=attempt.opened_at,
        ended_at=max(
            shop.now(), attempt.opened_at
        ),  # a clock set back is no reason to lose a close
        end=end,
        exit_status=exit_status,
        output=output,
    )


def _end_word(ended: Ended) -> End:
    """Say how a worker ended that left no valid handoff: the first that holds."""
    if ended.is_timeout:
        return "timeout"
    if ended.signal is not None:
        return "signal"
    return "exit_nonzero" if ended.exit_status else "contract_missing"


def _last_output(ended: Ended) -> str:
    """Give the end of what the worker printed, errors last."""
    whole = "\n".join(text.rstrip("\n") for text in (ended.output, ended.errors) if text.strip())
    return whole[-OUTPUT_SHOWN:]


def _exit_code(ended: Ended, stop: StopRequest) -> int:
    if stop.number is not None:
        return 128 + stop.number
    return 128 + ended.signal if ended.signal is not None else ended.exit_status or 0
