"""`agentjournal state`: where a project stands, bounded whatever its size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentjournal.cli.options import bytes_option, complete_slug
from agentjournal.cli.session import with_session
from agentjournal.execution.caps import STATE
from agentjournal.execution.state.read import get_project_state, get_project_state_data

if TYPE_CHECKING:
    from agentjournal.cli.session import Session

__all__ = ["state"]


@click.command(epilog="\b\nExample:\n  agentjournal state shop")
@click.argument("slug", required=False, shell_complete=complete_slug)
@bytes_option(STATE.default, STATE.ceiling)
@with_session
def state(session: Session, slug: str | None, cap: int) -> None:
    """Show where a project stands: counts, what is blocked, failed or under way, what is next."""
    name, services = session.slug(slug), session.services
    observed = services.observed(name)
    limits = services.limits
    text = get_project_state(services.log, name, cap=cap, observed=observed, limits=limits)
    data = get_project_state_data(services.log, name, observed=observed, limits=limits)
    session.output.result(text, data)
