"""`agentjournal run`: one task, one worker, and the record of how it ended."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from agentjournal.cli.options import complete_slug_or_task, project_and_task
from agentjournal.cli.session import with_session
from agentjournal.cli.told import told_close
from agentjournal.errors import AgentJournalError, ForeignProgramError
from agentjournal.orchestrator.by_hand import open_by_hand
from agentjournal.orchestrator.run import NOT_FOUND, Job, run_worker
from agentjournal.orchestrator.stop import StopRequest

if TYPE_CHECKING:
    from agentjournal.cli.session import Session

__all__ = ["run"]

COMMAND = "agentjournal.command"
OWN_FAILURE = 125


class WithCommand(click.Command):
    """A command whose arguments end at `--`; what stands behind it is a program with its own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the program aside before options are read."""
        at = args.index("--") if "--" in args else len(args)
        ctx.meta[COMMAND] = tuple(args[at + 1 :])
        return super().parse_args(ctx, args[:at])


@click.command(
    cls=WithCommand,
    epilog="\b\nExamples:\n  agentjournal run shop T-042 -- my-agent --task-on-stdin\n"
    "  agentjournal run T-042                 by hand: prints brief and token, `log` closes it",
)
@click.argument(
    "names",
    nargs=-1,
    required=True,
    metavar="[SLUG] TASK [-- CMD...]",
    shell_complete=complete_slug_or_task,
)
@click.option("--timeout", type=click.FloatRange(min=0.001), help="Seconds; then TERM, 10 s, KILL.")
@with_session
def run(session: Session, names: tuple[str, ...], timeout: float | None) -> int:
    """Give one task to one worker: its brief on standard input, its end in the log.

    The exit status is the worker's: 128 + n by signal n, 127 command not found, 125 our own failure.
    """
    services = session.services
    command: tuple[str, ...] = click.get_current_context().meta[COMMAND]
    slug, task = project_and_task(names, services.settings.project_slug)
    if not command:
        opened = open_by_hand(services.workshop, slug, task, services.settings.actor)
        session.output.result(opened.brief.text.rstrip("\n"), opened.data)
        session.output.note(opened.told)
        return 0
    job = Job(
        slug=slug,
        task=task,
        command=command,
        actor=services.worker_actor,
        timeout=timeout or services.settings.timeout_seconds,
        sinks=((sys.stdout.buffer.write, _flush), (sys.stderr.buffer.write,)),
    )
    stop = StopRequest()
    try:
        with stop.watched():
            ended = run_worker(services.workshop, job, stop)
    except ForeignProgramError as error:
        session.output.error(error)
        return NOT_FOUND
    except AgentJournalError as error:
        session.output.error(error)
        return OWN_FAILURE
    session.output.note(told_close(slug, task, ended))
    session.draft_finished(slug)
    return ended.exit_code


def _flush(_chunk: bytes) -> None:
    sys.stdout.buffer.flush()
