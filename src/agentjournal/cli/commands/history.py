"""`agentjournal history`: a project's steps in order, page by page, or one step with its log."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from agentjournal.cli.options import bytes_option, complete_slug, complete_task
from agentjournal.cli.session import with_reading_session
from agentjournal.execution.caps import HISTORY
from agentjournal.execution.history.audit import get_audit, get_audit_data
from agentjournal.execution.history.pages import get_history, get_history_data
from agentjournal.execution.history.single import get_step, get_step_data

if TYPE_CHECKING:
    from agentjournal.cli.session import Session

__all__ = ["history"]


@click.command(
    epilog="\b\nExamples:\n  agentjournal history shop\n  agentjournal history shop --after 120\n"
    "  agentjournal history --step 0192f0c4\n  agentjournal history shop --audit"
)
@click.argument("slug", required=False, shell_complete=complete_slug)
@click.option("--task", metavar="ID", shell_complete=complete_task, help="Only this task's.")
@click.option(
    "--after", "after_seq", type=click.IntRange(0), default=0, help="Begin after this seq."
)
@click.option("--limit", type=click.IntRange(1, 200), default=50, show_default=True)
@click.option("--step", "step_id", metavar="ID", help="Show this one step with its log.")
@click.option("--audit", is_flag=True, help="Show every event, also what was taken back, and why.")
@bytes_option(HISTORY.default, HISTORY.ceiling)
@with_reading_session
def history(  # noqa: PLR0913, PLR0917 - the switches of a page
    session: Session,
    slug: str | None,
    task: str | None,
    after_seq: int,
    limit: int,
    step_id: str | None,
    cap: int,
    *,
    audit: bool,
) -> None:
    """Read a project's steps in order; the last line says where the next page begins."""
    log = session.services.log
    if step_id is not None:
        session.output.result(get_step(log, step_id, cap=cap), get_step_data(log, step_id))
        return
    name = session.slug(slug)
    if audit:
        at = {"after_seq": after_seq, "limit": limit}
        session.output.result(get_audit(log, name, cap=cap, **at), get_audit_data(log, name, **at))
        return
    observed = session.services.observed(name)
    page = partial(get_history, log, name, task=task, after_seq=after_seq, limit=limit)
    data = partial(get_history_data, log, name, task=task, after_seq=after_seq, limit=limit)
    session.output.result(page(cap=cap, observed=observed), data(observed=observed))
