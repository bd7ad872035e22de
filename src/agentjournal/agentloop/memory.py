"""A loop's memory between its sessions: an owner's kept journal, rendered into the system text."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from agentjournal.errors import JournalError
from agentjournal.journal.neutral import neutral_lines
from agentjournal.text.bounded import clip, size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.agentloop.result import LoopResult
    from agentjournal.journal.consolidation import Consolidator
    from agentjournal.journal.journal import Journal

__all__ = ["Kept", "Memory"]

_TURN_BYTES = 2_000
_ROOM_BYTES = 16_000


class Kept(Protocol):
    """What a memory needs of a journal; `agentjournal.open_journal` gives one."""

    @property
    def journal(self) -> Journal:
        """Give the journal as it is stored now."""
        ...

    def record_turn(
        self, situation: str = "", heard: Sequence[tuple[str, str]] = (), own: str = ""
    ) -> object:
        """Record a turn."""
        ...

    def consolidate(self, consolidator: Consolidator, keep_fraction: float = 0.5) -> object:
        """Distil the oldest turns."""
        ...


@dataclass(frozen=True)
class Memory:
    """One owner's journal; a session that is remembered is one turn of it.

    Beyond `room` bytes the oldest sessions become a line each, without a model.
    """

    kept: Kept
    room: int = _ROOM_BYTES

    def system(self, preamble: str) -> str:
        """Give the system text: the preamble, then what was lived. Until it is distilled it only grows."""
        return f"{preamble}\n\n{self.kept.journal.render()}"

    def remember(self, asked: str, result: LoopResult) -> None:
        """Record one session.

        Raises:
            StoreError: it could not be stored.
        """
        outcome = clip(result.answer.strip() or f"(no answer: {result.stopped})", _TURN_BYTES)
        self.kept.record_turn(clip(asked.strip(), _TURN_BYTES), own=outcome)
        if size(self.kept.journal.render()) > self.room:
            with contextlib.suppress(JournalError):  # then it stays as it is
                self.kept.consolidate(neutral_lines)
