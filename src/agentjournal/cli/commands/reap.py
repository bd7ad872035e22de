"""`agentjournal reap`: close attempts whose worker is gone."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from agentjournal.cli.options import complete_slug
from agentjournal.cli.session import with_session
from agentjournal.orchestrator.reaping import reap_workers

if TYPE_CHECKING:
    from agentjournal.cli.session import Session

__all__ = ["reap"]


@click.command(epilog="\b\nExample:\n  agentjournal reap")
@click.argument("slug", required=False, shell_complete=complete_slug)
@with_session
def reap(session: Session, slug: str | None) -> None:
    """Close attempts whose lease ran out or whose wrapper is gone: of one project, or of all."""
    gone = reap_workers(session.services.workshop, slug)
    lines = [f"{each.slug} {each.task} attempt {each.number}: {each.reason}" for each in gone]
    session.output.result("\n".join(lines) or "Nothing to close.", [asdict(each) for each in gone])
