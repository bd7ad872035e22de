"""How a worker ended, and the forms in which what it wrote may come."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentjournal.execution.step import End, Step

__all__ = ["Ending", "Written", "text_of"]

Written = str | Mapping[str, object] | None


@dataclass(frozen=True, kw_only=True)
class Ending:
    """The end of an attempt as its wrapper or the reaper saw it.

    `id` is that of the closing step, minted before the first try and kept for retries; `attempt` is
    the sha256 of the token. `end` is the word for it where no valid handoff came (or
    `acceptance_failed`, where one came); `output` the last of what the worker printed.
    """

    id: str
    project_slug: str
    plan_ref: str
    attempt: str
    actor: str
    ended_at: str
    end: End
    started_at: str | None = None
    exit_status: int | None = None
    output: str = ""

    @property
    def defaults(self) -> dict[str, object]:
        """Give what the worker's form leaves out; a clock that was set back costs no handoff."""
        is_in_order = self.started_at is not None and self.started_at <= self.ended_at
        return {
            "id": self.id,
            "project_slug": self.project_slug,
            "plan_ref": self.plan_ref,
            "actor": self.actor,
            "started_at": self.started_at if is_in_order else None,
            "ended_at": self.ended_at,
        }

    def end_of(self, step: Step | None) -> End:
        """Give the word that is stored: a valid handoff counts, whatever the exit status."""
        if step is None or self.end == "acceptance_failed":
            return self.end
        return "handoff"


def text_of(written: Written) -> str:
    """Give what was written as text."""
    if written is None or isinstance(written, str):
        return written or ""
    return json.dumps(written, ensure_ascii=False, indent=1, default=str, skipkeys=True)
