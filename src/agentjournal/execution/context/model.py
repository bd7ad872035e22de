"""What one task's context is made of, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from agentjournal.execution.citation import cited, short_id
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Answer", "Found", "GateRow", "RuledOutRow", "StepRow", "TaskContext"]

T = TypeVar("T")


@dataclass(frozen=True)
class Found(Generic[T]):
    """The rows that were read, and how many there are."""

    rows: tuple[T, ...] = ()
    total: int = 0

    @property
    def unread(self) -> int:
        """Count those that were not read."""
        return self.total - len(self.rows)


@dataclass(frozen=True, kw_only=True)
class RuledOutRow:
    """A ruled-out option in force; `note` says in words when it may be reopened."""

    id: str
    actor: str
    revision: int
    option: str
    why: str
    note: str

    @property
    def citation(self) -> str:
        """Cite with the whole id: it is what `supersedes` asks for."""
        return cited(self.actor, self.id, self.revision)

    @property
    def short_citation(self) -> str:
        """Cite in short, where another task is spoken of."""
        return cited(self.actor, short_id(self.id), self.revision)


@dataclass(frozen=True, kw_only=True)
class StepRow:
    """A step with its handoff; of a neighbour also how many touches are shared, and one of them."""

    id: str
    task: str
    attempt: int | None
    actor: str
    revision: int
    action: str
    result: str
    end: str | None
    is_late: bool
    handoff: Mapping[str, Any]
    shared: int = 0
    shared_name: str = ""
    ruled_out: Found[RuledOutRow] = Found()

    @property
    def citation(self) -> str:
        """Cite the step."""
        return cited(self.actor, short_id(self.id), self.revision)

    def line(self, name: str) -> str:
        """Give a text of the handoff as one visible line, empty where it says nothing."""
        return one_line(str(self.handoff.get(name, "")))


@dataclass(frozen=True, kw_only=True)
class GateRow:
    """A gated operation that waits for a person, or ran although it was denied."""

    category: str
    operation: str
    decision: str
    outcome: str
    why: str
    step: str
    actor: str
    revision: int

    @property
    def citation(self) -> str:
        """Cite the step that considered it."""
        return cited(self.actor, short_id(self.step), self.revision)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a person said when giving the task a fresh count."""

    id: str
    actor: str
    verb: str
    why: str


@dataclass(frozen=True, kw_only=True)
class TaskContext:
    """All that the context of one task may show."""

    project: str
    task: str
    title: str
    revision: int
    is_drifted: bool
    ruled_out: Found[RuledOutRow]
    latest: StepRow | None
    attempts: Found[StepRow]
    dependencies: Found[StepRow]
    neighbours: Found[StepRow]
    gates: Found[GateRow]
    answer: Answer | None
    children: tuple[str, ...]
    body: str
    body_bytes: int
