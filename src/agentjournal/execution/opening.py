"""The event that opens an attempt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from agentjournal.execution.projection.change import stream_of
from agentjournal.log.event import draft
from agentjournal.text.canonical import sha256_hex

if TYPE_CHECKING:
    from agentjournal.log.event import Draft

__all__ = ["Holder", "Opening"]

Holder = Literal["wrapper", "hook", "hand", "step"]


@dataclass(frozen=True, kw_only=True)
class Opening:
    """Who opens an attempt of which task, and what binds a worker to it.

    An attempt that is opened and closed by one step has the holder `step` and no token: what stands
    in its place is the digest of a text that no token can be.
    """

    id: str
    slug: str
    task: str
    actor: str
    at: str
    revision: int
    holder: Holder = "step"
    token_sha256: str | None = None

    def draft(self) -> Draft:
        """Make the event."""
        return draft(
            stream=stream_of(self.slug),
            id=self.id,
            kind="attempt",
            actor=self.actor,
            at=self.at,
            payload={
                "v": 1,
                "task": self.task,
                "token_sha256": self.token_sha256 or sha256_hex(f"step/{self.id}"),
                "holder": self.holder,
                "revision": self.revision,
            },
        )
