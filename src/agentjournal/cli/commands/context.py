"""`agentjournal context`: what the next worker on a task must know."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentjournal.brief.build import build_brief
from agentjournal.cli.options import bytes_option, complete_slug_or_task, project_and_task
from agentjournal.cli.session import with_reading_session
from agentjournal.execution.caps import CONTEXT
from agentjournal.execution.context.read import get_task_context, get_task_context_data

if TYPE_CHECKING:
    from agentjournal.cli.session import Session

__all__ = ["context"]


@click.command(
    epilog="\b\nExamples:\n  agentjournal context shop T-042\n  agentjournal context T-042 --brief"
)
@click.argument(
    "names", nargs=-1, required=True, metavar="[SLUG] TASK", shell_complete=complete_slug_or_task
)
@click.option("--brief", is_flag=True, help="Show the whole brief with its boundary.")
@bytes_option(CONTEXT.default, CONTEXT.ceiling)
@with_reading_session
def context(session: Session, names: tuple[str, ...], cap: int, *, brief: bool) -> None:
    """Show what the next worker on a task must know: ruled out, handed off, depended on."""
    services = session.services
    slug, task = project_and_task(names, services.settings.project_slug)
    observed = services.observed(slug)
    if brief:
        built = build_brief(
            services.log,
            slug,
            task,
            observed=observed,
            sources=services.sources(),
            caps=services.caps,
        )
        services.note_served(slug, built)
        parts = {"stable": built.stable, "boundary": built.boundary, "task": built.task_part}
        session.output.result(built.text.rstrip("\n"), parts)
        return
    text = get_task_context(services.log, slug, task, cap=cap, observed=observed)
    data = get_task_context_data(services.log, slug, task, cap=cap, observed=observed)
    session.output.result(text, data)
