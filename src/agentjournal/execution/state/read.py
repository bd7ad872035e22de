"""The read `get_project_state`, as text for a model and as data for a program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.execution.caps import STATE
from agentjournal.execution.observed import NOTHING_OBSERVED, Observed
from agentjournal.execution.policy import DEFAULT_LIMITS, Limits
from agentjournal.execution.state.data import state_data
from agentjournal.execution.state.load import load_state
from agentjournal.execution.state.render import render_state

if TYPE_CHECKING:
    from agentjournal.execution.state.model import ProjectState
    from agentjournal.log.log import Log

__all__ = ["get_project_state", "get_project_state_data"]

LINE_BYTES = 60  # that a line of a blocked task takes at least


def get_project_state(
    log: Log,
    slug: str,
    *,
    cap: int = STATE.default,
    observed: Observed = NOTHING_OBSERVED,
    limits: Limits = DEFAULT_LIMITS,
) -> str:
    """Say where the project stands, in at most `cap` bytes (up to 4,000), however large it is.

    Raises:
        NotFoundError: there is no such project.
        InputError: the cap lies outside of its bounds.
    """
    return render_state(_load(log, slug, cap, observed, limits), cap)


def get_project_state_data(
    log: Log,
    slug: str,
    *,
    cap: int = STATE.default,
    observed: Observed = NOTHING_OBSERVED,
    limits: Limits = DEFAULT_LIMITS,
) -> dict[str, object]:
    """Give the same values as plain data.

    Raises:
        NotFoundError: there is no such project.
        InputError: the cap lies outside of its bounds.
    """
    return state_data(_load(log, slug, cap, observed, limits), observed)


def _load(log: Log, slug: str, cap: int, observed: Observed, limits: Limits) -> ProjectState:
    lines = STATE.checked(cap) // LINE_BYTES
    with log.database.snapshot() as reader:
        return load_state(reader, slug, limits=limits, observed=observed, lines=lines)
