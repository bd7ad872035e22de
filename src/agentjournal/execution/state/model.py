"""Where a project stands, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.execution.status import Word

__all__ = ["Flight", "ProjectState", "Trouble"]


@dataclass(frozen=True, kw_only=True)
class Trouble:
    """Tasks that failed or wait for a person, for one reason; `why` is what the last step said."""

    tasks: tuple[str, ...]
    detail: str
    why: str = ""
    citation: str = ""


@dataclass(frozen=True, kw_only=True)
class Flight:
    """An open attempt; `until` is when its lease ends, empty where it has none here."""

    task: str
    attempt: int
    actor: str
    until: str
    is_alive: bool


@dataclass(frozen=True, kw_only=True)
class ProjectState:
    """All that the state of one project may show.

    `ids` are those of required tasks of the plan by their word; discovered work, optional tasks and
    containers (done, of how many) stand apart. `gates` counts decisions and what leaked.
    """

    project: str
    title: str
    revision: int
    is_drifted: bool
    ids: Mapping[Word, tuple[str, ...]]
    blocked: tuple[Trouble, ...]
    failed: tuple[Trouble, ...]
    flights: tuple[Flight, ...]
    next: tuple[str, ...]
    next_title: str
    discovered: Mapping[Word, tuple[str, ...]]
    optional: tuple[int, int]
    containers: tuple[tuple[str, str], ...]
    quarantined: int
    gates: Mapping[str, int]
