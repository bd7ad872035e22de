"""The read `get_task_context`, as text for a model and as data for a program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.execution.caps import CONTEXT
from agentjournal.execution.context.data import context_data
from agentjournal.execution.context.load import load_context
from agentjournal.execution.context.render import render_context
from agentjournal.execution.observed import NOTHING_OBSERVED, Observed

if TYPE_CHECKING:
    from agentjournal.log.log import Log

__all__ = ["get_task_context", "get_task_context_data"]


def get_task_context(  # noqa: PLR0913 - a log, an address, and three switches by name
    log: Log,
    slug: str,
    task: str,
    *,
    cap: int = CONTEXT.default,
    observed: Observed = NOTHING_OBSERVED,
    without_task_text: bool = False,
) -> str:
    """Say what the next worker on the task must know, in at most `cap` bytes (up to 16,000).

    Ruled-out options come first, newest first, then the latest handoff, late and earlier attempts,
    handoffs of dependencies and of tasks that touch the same, what is open, the task's own text.

    Raises:
        NotFoundError: there is no such project or task.
        InputError: the cap lies outside of its bounds.
    """
    cap = CONTEXT.checked(cap)
    context = load_context(log, slug, task, cap=cap, observed=observed)
    return render_context(context, cap, with_text=not without_task_text)


def get_task_context_data(
    log: Log,
    slug: str,
    task: str,
    *,
    cap: int = CONTEXT.default,
    observed: Observed = NOTHING_OBSERVED,
) -> dict[str, object]:
    """Give the same values as plain data: all that was read for a text of so many bytes.

    Raises:
        NotFoundError: there is no such project or task.
        InputError: the cap lies outside of its bounds.
    """
    cap = CONTEXT.checked(cap)
    context = load_context(log, slug, task, cap=cap, observed=observed)
    return context_data(context, observed)
