"""`agentjournal log`: record a step with its handoff."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from agentjournal.cli.options import complete_slug, complete_task
from agentjournal.cli.session import with_session
from agentjournal.cli.told import with_redactions
from agentjournal.compose.observe import blobs_of
from agentjournal.errors import InputError, OutcomeUnknownError
from agentjournal.execution.contract import read_step
from agentjournal.execution.form import FORM_BYTES, form, read_form
from agentjournal.execution.step import Result
from agentjournal.execution.write import log_step
from agentjournal.system.files import read_inside

if TYPE_CHECKING:
    from agentjournal.cli.session import Session
    from agentjournal.execution.logged import Logged
    from agentjournal.execution.step import Step

__all__ = ["log"]


@click.command(
    epilog="\b\nExamples:\n  agentjournal log --form failed > step.yml\n  agentjournal log --from step.yml\n"
    "  agentjournal log --project shop --task T-042 --from -"
)
@click.option(
    "--form", "wanted", type=click.Choice(get_args(Result)), help="Print the form of a result."
)
@click.option("--from", "source", metavar="FILE|-", help="Read one flat object, JSON or YAML.")
@click.option(
    "--project",
    metavar="SLUG",
    shell_complete=complete_slug,
    help="The project; else the form's, else the folder's.",
)
@click.option(
    "--task",
    metavar="ID",
    shell_complete=complete_task,
    help="The task; else the form's plan_ref.",
)
@with_session
def log(
    session: Session, wanted: str | None, source: str | None, project: str | None, task: str | None
) -> None:
    """Record a step: progress under an open attempt, or the close of one opened by hand.

    The step's id is printed; a retry with the same id stores nothing twice.
    """
    if wanted is not None:
        click.echo(form(wanted), nl=False)
        return
    if source is None:
        raise click.UsageError("Give --from FILE (or -), or --form RESULT for the form to fill in.")
    named = {"project_slug": project, "plan_ref": task}
    fields = {**read_form(_read(source)), **{name: text for name, text in named.items() if text}}
    step = read_step(fields, source="log", defaults=_defaults(session))
    logged = _stored(session, step)
    faults = [dict(vars(fault)) for fault in logged.faults]
    session.output.result(logged.id, asdict(logged) | {"faults": faults})
    session.output.note(_told(logged))
    if logged.kind == "close":
        session.draft_finished(step.project_slug)


def _stored(session: Session, step: Step) -> Logged:
    """Record the step; where its fate stays open, name the id by which it may be logged again."""
    services = session.services
    blobs = blobs_of(services.root) if services.root and step.handoff else None
    try:
        return log_step(services.log, step, new_id=services.world.new_id, blobs=blobs)
    except OutcomeUnknownError as error:
        raise OutcomeUnknownError(
            error.message, next=f"Log it again with `id: {step.id}` in the form: it is stored once."
        ) from error


def _read(source: str) -> str:
    if source == "-":
        data = sys.stdin.buffer.read(FORM_BYTES + 1)
        return data.decode("utf-8", "replace")
    path = Path(source).resolve()
    if not path.is_file():
        raise InputError(
            f"There is no file {source}.", next="Give a file, or - for standard input."
        )
    return read_inside(path.parent, path.name, 2 * FORM_BYTES).decode("utf-8", "replace")


def _defaults(session: Session) -> dict[str, object]:
    services = session.services
    environment = services.world.environment
    return {
        "id": services.world.new_id(),
        "project_slug": services.settings.project_slug,
        "plan_ref": environment.get("AGENTJOURNAL_TASK"),
        "attempt": services.settings.attempt_token,
        "actor": services.settings.actor,
        "ended_at": services.world.now(),
    }


def _told(logged: Logged) -> str:
    what = (
        f"Recorded as a {logged.kind}"
        if not logged.is_repeat
        else "It was recorded already, as a " + logged.kind
    )
    where = f" of {logged.task}" if logged.task else ""
    attempt = f", attempt {logged.attempt}" if logged.attempt else ""
    notes = [
        *logged.notes,
        *(["It came late: the attempt was closed before."] if logged.is_late else []),
        *(["It is quarantined: its token is unknown."] if logged.is_quarantined else []),
    ]
    return with_redactions("\n".join([f"{what}{where}{attempt}.", *notes]), logged.redacted)
