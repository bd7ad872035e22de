"""`agentjournal discover`: note work that the plan does not hold."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from agentjournal.cli.options import SLUG
from agentjournal.cli.session import with_session
from agentjournal.cli.told import with_redactions
from agentjournal.execution.resolve import discover as note

if TYPE_CHECKING:
    from agentjournal.cli.session import Session

__all__ = ["discover"]


@click.command(
    epilog="\b\nExample:\n  agentjournal discover shop 'Upgrade the parser' --from T-042"
)
@SLUG
@click.argument("title")
@click.option("--from", "from_task", metavar="TASK", help="The task that it was found on.")
@with_session
def discover(session: Session, slug: str, title: str, from_task: str | None) -> None:
    """Note work found on the way: it gets an id (U-001, ...) and is counted apart from the plan."""
    services = session.services
    said = note(
        services.log,
        slug,
        title,
        from_task=from_task,
        event_id=services.world.new_id(),
        actor=services.settings.actor,
        at=services.world.now(),
    )
    told = f"{said.about}: {title}"
    session.output.result(with_redactions(told, said.redacted), asdict(said))
