"""What a fresh worker gets: a part that stays equal or grows, a boundary, and its own task."""

from __future__ import annotations

from dataclasses import dataclass

from agentjournal.journal.prompt import BOUNDARY


@dataclass(frozen=True)
class Served:
    """A document of past work that a brief quotes, and the bytes that it takes there."""

    document: str
    bytes: int


@dataclass(frozen=True)
class Brief:
    """The whole of what a worker knows.

    `stable` is the same for every worker of the project or extends what the one before got;
    `task_part` is for this attempt only. Both end in a line end. `served` names the documents that
    are quoted in it: recall has a cost, whoever asks for it.
    """

    stable: str
    task_part: str
    served: tuple[Served, ...] = ()

    @property
    def boundary(self) -> str:
        """Give the one line that parts the two; no stored text can contain it."""
        return BOUNDARY

    @property
    def cacheable_prefix(self) -> str:
        """Give what stands above the boundary."""
        return self.stable

    @property
    def text(self) -> str:
        """Give the brief as the worker reads it."""
        return f"{self.stable}\n{self.boundary}\n\n{self.task_part}"
