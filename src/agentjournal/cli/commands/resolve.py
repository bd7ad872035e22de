"""`agentjournal resolve`: a person's word on a task."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, cast

import click

from agentjournal.cli.options import complete_slug_or_task, project_and_task
from agentjournal.cli.session import with_session
from agentjournal.cli.told import with_redactions
from agentjournal.execution.resolve import resolve as say

if TYPE_CHECKING:
    from agentjournal.cli.session import Session
    from agentjournal.execution.resolve import Verb

__all__ = ["resolve"]


@click.command(
    epilog="\b\nExamples:\n  agentjournal resolve shop T-042 --retry --why 'the service is back'\n"
    "  agentjournal resolve T-042 --done --why 'checked by hand'"
)
@click.argument(
    "names", nargs=-1, required=True, metavar="[SLUG] TASK", shell_complete=complete_slug_or_task
)
@click.option(
    "--retry", is_flag=True, help="A fresh count; a skipped dependency no longer holds it."
)
@click.option(
    "--skip", is_flag=True, help="Leave it out; what needs it waits for a --retry of its own."
)
@click.option("--done", is_flag=True, help="It is done, dependencies or not.")
@click.option("--why", required=True, help="Why, for the log.")
@with_session
def resolve(session: Session, /, names: tuple[str, ...], why: str, **verbs: bool) -> None:
    """Answer for a task that waits for a person; what is ruled out stays ruled out."""
    said_verbs = [verb for verb, is_said in verbs.items() if is_said]
    if len(said_verbs) != 1:
        raise click.UsageError("Say exactly one: --retry, --skip or --done.")
    verb = cast("Verb", said_verbs[0])
    services = session.services
    slug, task = project_and_task(names, services.settings.project_slug)
    said = say(
        services.log,
        slug,
        task,
        verb,
        why,
        event_id=services.world.new_id(),
        actor=services.settings.actor,
        at=services.world.now(),
    )
    told = f"{task}: {verb}. Next: agentjournal state {slug}"
    session.output.result(with_redactions(told, said.redacted), asdict(said))
    if verb != "retry":
        session.draft_finished(slug)
