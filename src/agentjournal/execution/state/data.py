"""A project's state as plain data, from the same values as its text."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from agentjournal.execution.ranges import id_ranges

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agentjournal.execution.observed import Observed
    from agentjournal.execution.state.model import ProjectState
    from agentjournal.execution.status import Word

__all__ = ["state_data"]


def state_data(state: ProjectState, observed: Observed) -> dict[str, object]:
    """Give every value that was read; ids as ranges, so that ten thousand stay short."""
    done, optional = state.optional
    return {
        "project": state.project,
        "title": state.title,
        "revision": state.revision,
        "is_drifted": state.is_drifted,
        "observed": observed.data,
        "counts": {word: len(ids) for word, ids in state.ids.items()},
        "ids": _ranges(state.ids),
        "blocked": [asdict(each) for each in state.blocked],
        "failed": [asdict(each) for each in state.failed],
        "in_flight": [asdict(each) for each in state.flights],
        "next": state.next[0] if state.next else None,
        "dispatchable": _written(state.next),
        "discovered": _ranges(state.discovered),
        "optional": {"done": done, "total": optional},
        "containers": dict(state.containers),
        "quarantined": state.quarantined,
        "gates": dict(state.gates),
    }


def _ranges(ids: Mapping[Word, Sequence[str]]) -> dict[str, list[str]]:
    return {word: _written(named) for word, named in ids.items()}


def _written(ids: Sequence[str]) -> list[str]:
    return [text for text, _ in id_ranges(ids)]
