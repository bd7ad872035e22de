"""`agentjournal ruled-out reopen`: take an option back out of what is ruled out."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from agentjournal.cli.lazy import Entry, LazyGroup
from agentjournal.cli.session import with_session
from agentjournal.cli.told import with_redactions
from agentjournal.execution.history.step_id import full_step_id
from agentjournal.execution.resolve import reopen_ruled_out

if TYPE_CHECKING:
    from agentjournal.cli.session import Session

__all__ = ["reopen", "ruled_out"]

ENTRIES = {
    "reopen": Entry(
        "agentjournal.cli.commands.ruled_out:reopen", "Take an item out of what is ruled out."
    )
}


@click.command(cls=LazyGroup, entries=ENTRIES)
def ruled_out() -> None:
    """Reopen what was ruled out."""


@click.command(
    epilog="\b\nExample:\n  agentjournal ruled-out reopen 0192f0c4-...#1 --why 'fixed in version 3'"
)
@click.argument("item", metavar="ID")
@click.option("--why", required=True, help="Why, for the log.")
@with_session
def reopen(session: Session, item: str, why: str) -> None:
    """Take an option out of what is ruled out; the record gets a line that says so and why.

    ID is the item's, as `context` and `why` print it: the step's id, `#`, and its place in the step.
    """
    services = session.services
    with services.log.database.snapshot() as reader:
        whole = full_step_id(reader, item)
    said = reopen_ruled_out(
        services.log,
        whole,
        why,
        event_id=services.world.new_id(),
        actor=services.settings.actor,
        at=services.world.now(),
        new_id=services.world.new_id,
    )
    told = f"Reopened {said.about}."
    session.output.result(with_redactions(told, said.redacted), asdict(said))
