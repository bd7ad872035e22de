"""`agentjournal resolve`: a person's word on a task."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from agentjournal.cli.options import complete_task, project_and_task
from agentjournal.cli.session import with_session
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
    "names", nargs=-1, required=True, metavar="[SLUG] TASK", shell_complete=complete_task
)
@click.option("--retry", "verb", flag_value="retry", help="A fresh count of attempts.")
@click.option("--skip", "verb", flag_value="skip", help="Leave it out; dependents need a word too.")
@click.option("--done", "verb", flag_value="done", help="It is done, dependencies or not.")
@click.option("--why", required=True, help="Why, for the log.")
@with_session
def resolve(session: Session, names: tuple[str, ...], verb: Verb | None, why: str) -> None:
    """Answer for a task that waits for a person; what is ruled out stays ruled out."""
    if verb is None:
        raise click.UsageError("Say which: --retry, --skip or --done.")
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
    session.output.result(f"{task}: {verb}. Next: agentjournal state {slug}", asdict(said))
