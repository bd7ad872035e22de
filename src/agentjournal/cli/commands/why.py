"""`agentjournal why`: decisions and ruled-out options that hold some words, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentjournal.cli.options import bytes_option, complete_slug
from agentjournal.cli.session import with_reading_session
from agentjournal.execution.caps import CLAIMS
from agentjournal.execution.claims import why as read_why
from agentjournal.execution.claims import why_data

if TYPE_CHECKING:
    from agentjournal.cli.session import Session

__all__ = ["why"]


@click.command(
    epilog="\b\nExamples:\n  agentjournal why json store\n  agentjournal why --project shop cache"
)
@click.argument("words", nargs=-1, required=True)
@click.option("--project", metavar="SLUG", shell_complete=complete_slug, help="Else the folder's.")
@bytes_option(CLAIMS.default, CLAIMS.ceiling)
@with_reading_session
def why(session: Session, words: tuple[str, ...], project: str | None, cap: int) -> None:
    """List decisions and ruled-out options that hold all the words, oldest first, with step and revision."""
    services, slug, query = session.services, session.slug(project), " ".join(words)
    observed = services.observed(slug)
    text = read_why(services.log, slug, query, cap=cap, observed=observed)
    session.output.result(text, why_data(services.log, slug, query, observed=observed))
