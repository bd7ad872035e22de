"""What one task's context is made of, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from agentjournal.execution.citation import cited, short_id

if TYPE_CHECKING:
    from agentjournal.execution.quoted import QuotedStep

__all__ = ["Answer", "Found", "Gate", "Related", "RuledOutItem", "TaskContext"]

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
class RuledOutItem:
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
class Related:
    """Another task's handoff, what was ruled out there, and how many touches it shares."""

    step: QuotedStep
    shared: int = 0
    shared_name: str = ""
    ruled_out: Found[RuledOutItem] = Found()


@dataclass(frozen=True, kw_only=True)
class Gate:
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
    """A person's word on the task that nothing came back after."""

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
    ruled_out: Found[RuledOutItem]
    latest: QuotedStep | None
    attempts: Found[QuotedStep]
    dependencies: Found[Related]
    neighbours: Found[Related]
    gates: Found[Gate]
    answer: Answer | None
    children: tuple[str, ...]
    body: str
    body_bytes: int
