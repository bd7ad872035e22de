"""`agentjournal loop`: carry out a plan, worker after worker."""

from __future__ import annotations

import contextlib
import shlex
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from agentjournal.cli.options import complete_slug, complete_task
from agentjournal.cli.session import with_session
from agentjournal.cli.told import told_close
from agentjournal.errors import ForeignProgramError, InputError
from agentjournal.orchestrator.loop import Approval, Proposal, standing
from agentjournal.orchestrator.loop import loop as carry_out
from agentjournal.orchestrator.proxy_process import running_proxy
from agentjournal.orchestrator.run import Job
from agentjournal.orchestrator.stop import StopRequest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.brief.brief import Brief
    from agentjournal.cli.output import Output
    from agentjournal.cli.session import Session
    from agentjournal.compose.services import Services
    from agentjournal.execution.reap import Reaped
    from agentjournal.execution.status import Status
    from agentjournal.execution.task import TaskFacts
    from agentjournal.orchestrator.loop import LoopEnd
    from agentjournal.orchestrator.run import Run
    from agentjournal.orchestrator.workshop import Workshop

__all__ = ["loop"]

_WHY = {
    "done": "All that the plan requires is done.",
    "until": "The task that was asked for is done.",
    "blocked": "Nothing more can be dispatched: what is left waits for a person or for what does.",
    "in flight elsewhere": "What is left is under way elsewhere, or waits for it.",
    "stopped": "Stopped; what was under way is recorded.",
}


@click.command(
    epilog="\b\nExamples:\n  agentjournal loop shop --worker 'my-agent --stdin'\n"
    "  agentjournal loop --worker ./worker.sh --interactive\n  agentjournal loop shop --dry-run"
)
@click.argument("slug", required=False, shell_complete=complete_slug)
@click.option(
    "--worker", metavar="CMD", help="The worker's command; split into words, given to no shell."
)
@click.option("--interactive", is_flag=True, help="Ask before each dispatch.")
@click.option(
    "--until", metavar="TASK", shell_complete=complete_task, help="Stop once this task is done."
)
@click.option("--dry-run", is_flag=True, help="Only say what would be dispatched next.")
@click.option("--timeout", type=click.FloatRange(min=0.001), help="Seconds for each worker.")
@click.option(
    "--proxy", metavar="URL", help="Put a measuring proxy between workers and this engine."
)
@with_session
def loop(  # noqa: PLR0913, PLR0917 - the switches of the loop
    session: Session,
    slug: str | None,
    worker: str | None,
    until: str | None,
    timeout: float | None,
    proxy: str | None,
    *,
    interactive: bool,
    dry_run: bool,
) -> int:
    """Dispatch task after task to fresh workers that know only their brief.

    Exit 0 when all is done, 1 when something waits for a person, 2 when the worker cannot be started.
    """
    services, name = session.services, session.slug(slug)
    if dry_run:
        return _dry_run(session, name)
    job = Job(
        slug=name,
        task="",
        command=_words(worker),
        actor=services.worker_actor,
        timeout=timeout or services.settings.timeout_seconds,
    )
    teller = Teller(session.output, name, is_asking=interactive)
    stop = StopRequest()
    try:
        with stop.watched(), _shop(services, proxy) as shop:
            end = carry_out(shop, job, teller, stop, until=until)
    except ForeignProgramError as error:
        session.output.error(error)
        return 2
    session.draft_finished(name)
    session.output.result(_told_end(name, end), _end_data(end))
    return end.exit_code if stop.number is None else 128 + stop.number


@contextlib.contextmanager
def _shop(services: Services, upstream: str | None) -> Iterator[Workshop]:
    """Give the workshop; with an engine's URL its workers speak through a proxy that runs as long."""
    shop = services.workshop
    if upstream is None:
        yield shop
        return
    command = [sys.executable, "-m", "agentjournal.cli", "proxy", "--upstream", upstream]
    command += ["--port", "0", "--json", "--until-stdin-closes"]
    with running_proxy(command, shop.environment) as url:
        yield replace(shop, proxy=url)


class Teller:
    """Tells on stderr what the loop does; asks a person where it should."""

    def __init__(self, output: Output, slug: str, *, is_asking: bool) -> None:
        self._output = output
        self._slug = slug
        self._is_asking = is_asking

    def approve(self, proposal: Proposal) -> Approval:
        """Ask y, skip, edit or stop; without a person, go on."""
        self._output.note(f"-> {proposal.task.id} {proposal.task.title} ({proposal.status})")
        if not self._is_asking:
            return Approval("go")
        answer = click.prompt(
            "Dispatch it? (y: go on; skip: not in this loop; edit: change its brief; stop: end here)",
            type=click.Choice(["y", "skip", "edit", "stop"], case_sensitive=False),
            default="y",
            err=True,
        )
        match answer:
            case "y":
                return Approval("go")
            case "edit":
                return Approval("go", edit=edited)
            case "skip":
                return Approval("skip")
            case _:
                return Approval("stop")

    def reaped(self, attempts: list[Reaped]) -> None:
        """Tell of attempts whose worker was gone."""
        for each in attempts:
            self._output.note(f"closed {each.task} attempt {each.number}: {each.reason}")

    def ended(self, task: TaskFacts, run: Run, status: Status) -> None:
        """Tell how a worker ended."""
        self._output.note(told_close(self._slug, task.id, run).rpartition("\n")[0])
        self._output.note(f"   {task.id} is {status}")

    def escalated(self, task: str, why: str) -> None:
        """Tell that a task waits for a person."""
        self._output.note(
            f"{task} waits for a person: {why}. Next: agentjournal resolve {self._slug} {task} "
            "--retry|--skip|--done --why ..."
        )


def edited(brief: Brief) -> Brief:
    """Let a person change the part of the brief that is for this attempt only."""
    changed = click.edit(brief.task_part, extension=".md")
    return brief if changed is None else replace(brief, task_part=changed)


def _words(worker: str | None) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(worker or ""))
    except ValueError as error:
        raise InputError(
            f"--worker cannot be split into words: {error}.", next="Close its quotes."
        ) from error
    if not words:
        raise click.UsageError("Give --worker CMD, or --dry-run.")
    return words


def _dry_run(session: Session, slug: str) -> int:
    now = standing(session.services.workshop, slug)
    task = now.next
    text = (
        f"Next: {task.id} {task.title} ({now.status[task.id]})" if task else "Nothing to dispatch."
    )
    session.output.result(text, {"next": task.id if task else None})
    return 0


def _told_end(slug: str, end: LoopEnd) -> str:
    return f"{_WHY[end.why]} {end.dispatched} dispatched.\nNext: agentjournal state {slug}"


def _end_data(end: LoopEnd) -> dict[str, object]:
    words = [status.word for status in end.standing.status.values()]
    return {
        "end": end.why,
        "dispatched": end.dispatched,
        "counts": {word: words.count(word) for word in sorted(set(words))},
    }
