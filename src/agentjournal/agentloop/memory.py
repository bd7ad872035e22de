"""A loop's memory between its sessions: a journal in a snapshot file, rendered into the system text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.errors import NotFoundError
from agentjournal.journal.journal import Journal
from agentjournal.system.files import read_inside, write_atomically
from agentjournal.text.bounded import clip

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.agentloop.result import LoopResult

__all__ = ["Memory"]

_SNAPSHOT_BYTES = 64 * 1024 * 1024
_TURN_BYTES = 2_000


class Memory:
    """One owner's journal, kept in a file; a session that is remembered is one turn of it."""

    def __init__(self, path: Path, owner: str) -> None:
        self.path = path
        self.journal = self._restored(owner)

    def system(self, preamble: str) -> str:
        """Give the system text: the preamble, then what was lived. It only grows between sessions."""
        return f"{preamble}\n\n{self.journal.render()}"

    def remember(self, asked: str, result: LoopResult) -> None:
        """Record one session and keep the file."""
        epochs = [entry.epoch for entry in self.journal.entries]
        outcome = clip(result.answer.strip() or f"(no answer: {result.stopped})", _TURN_BYTES)
        situation = clip(asked.strip(), _TURN_BYTES)
        self.journal.record_turn(max(epochs, default=0) + 1, situation, [], outcome)
        write_atomically(self.path, self.journal.to_json().encode())

    def _restored(self, owner: str) -> Journal:
        try:
            data = read_inside(self.path.parent, self.path.name, _SNAPSHOT_BYTES)
        except NotFoundError:
            return Journal(owner)
        return Journal.from_json(data.decode("utf-8", "replace"))
