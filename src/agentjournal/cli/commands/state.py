"""`agentjournal state`: where a project stands, bounded whatever its size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentjournal.cli.options import bytes_option, complete_slug
from agentjournal.cli.session import with_reading_session
from agentjournal.execution.caps import STATE
from agentjournal.execution.names import projects, projects_text
from agentjournal.execution.state.read import get_project_state, get_project_state_data

if TYPE_CHECKING:
    from agentjournal.cli.session import Session

__all__ = ["state"]


@click.command(epilog="\b\nExample:\n  agentjournal state shop")
@click.argument("slug", required=False, shell_complete=complete_slug)
@bytes_option(STATE.default, STATE.ceiling)
@with_reading_session
def state(session: Session, slug: str | None, cap: int) -> None:
    """Show where a project stands: counts, what is blocked, failed or under way, what is next.

    Outside of any project it names the projects that there are.
    """
    services = session.services
    if slug is None and services.settings.project_slug is None:
        found = projects(services.log)
        room = cap - 1  # the line end is printed too
        session.output.result(projects_text(found, room), found)
        return
    name = session.slug(slug)
    observed = services.observed(name)
    limits = services.limits
    text = get_project_state(services.log, name, cap=cap, observed=observed, limits=limits)
    data = get_project_state_data(services.log, name, observed=observed, limits=limits)
    session.output.result(text, data)
