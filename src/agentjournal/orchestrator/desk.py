"""A worker's desk: the private folder with its brief, where it leaves its handoff, and its environment."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.errors import InputError, NotFoundError
from agentjournal.system.files import open_inside, private_folder, write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from agentjournal.brief.brief import Brief

__all__ = ["HANDOFF_BYTES", "Desk"]

HANDOFF = "handoff.json"
HANDOFF_BYTES = 1024 * 1024  # of a file as a worker left it; what fits the form is far smaller


@dataclass(frozen=True)
class Desk:
    """One attempt's folder, 0700: brief, its stable and its task part, and the handoff file."""

    folder: Path

    @classmethod
    def of(cls, attempts: Path, claim: str) -> Desk:
        """Give the desk of an attempt, whether or not it was laid yet."""
        return cls(attempts / claim)

    def lay(self, brief: Brief) -> None:
        """Put the brief on the desk, whole and in its two parts."""
        private_folder(self.folder)
        for name, text in (
            ("brief.md", brief.text),
            ("brief-stable.md", brief.stable),
            ("brief-task.md", brief.task_part),
        ):
            write_atomically(self.folder / name, text.encode())

    @property
    def brief(self) -> Path:
        """Give the file with the whole brief."""
        return self.folder / "brief.md"

    def environment(
        self, base: Mapping[str, str], *, slug: str, task: str, token: str
    ) -> dict[str, str]:
        """Give a worker's environment: that of its parent, and where its brief lies."""
        return {
            **base,
            "AGENTJOURNAL_PROJECT": slug,
            "AGENTJOURNAL_TASK": task,
            "AGENTJOURNAL_ATTEMPT": token,
            "AGENTJOURNAL_BRIEF": str(self.brief),
            "AGENTJOURNAL_BRIEF_STABLE": str(self.folder / "brief-stable.md"),
            "AGENTJOURNAL_BRIEF_TASK": str(self.folder / "brief-task.md"),
            "AGENTJOURNAL_HANDOFF": str(self.folder / HANDOFF),
        }

    def handoff(self) -> str | None:
        """Read what the worker left, at most its first 1 MiB; None where it left nothing.

        A link, a pipe or a folder in its place reads as nothing: the worker's own words are a file.
        """
        try:
            descriptor = open_inside(self.folder, HANDOFF)
        except (InputError, NotFoundError):
            return None
        with open(descriptor, "rb") as file:  # noqa: PTH123 - it is a descriptor
            data = file.read(HANDOFF_BYTES)
        return data.decode("utf-8", "replace") if data.strip() else None

    def clear(self) -> None:
        """Take the desk away, once the log holds what lay on it."""
        shutil.rmtree(self.folder, ignore_errors=True)
