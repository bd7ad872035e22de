"""What a plan says: its tasks in order, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentjournal.errors import Fault

__all__ = ["Plan", "PlanReport", "PlannedTask"]


@dataclass(frozen=True, kw_only=True)
class PlannedTask:
    """One task of a plan, as its author wrote it.

    `text` is the task's own words without box, id and marks; it begins with the title's line and
    holds no child's text. `depends` are the explicit dependencies, `is_explicit` says that there are
    no others, where the task says so itself, if only with `none`; else the order rules
    (`section_place`, `rank`, both from 1; see `order.waits`).
    """

    id: str
    title: str
    text: str
    section: str
    section_place: int
    rank: int
    place: int
    depends: tuple[str, ...] = ()
    is_explicit: bool = False
    parent: str | None = None
    files: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    verify: str | None = None
    is_done: bool = False
    is_optional: bool = False
    is_container: bool = False
    is_parallel: bool = False
    line: int = 0


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A plan as it was read; `sha256` covers the bytes, `text` is what they say."""

    title: str
    goal: str
    text: str
    path: str
    sha256: str
    tasks: tuple[PlannedTask, ...]


@dataclass(frozen=True)
class PlanReport:
    """All that reading found: the plan (None where it could not be read at all), faults, notes."""

    plan: Plan | None
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_valid(self) -> bool:
        """Whether the plan may be registered."""
        return self.plan is not None and not self.faults
