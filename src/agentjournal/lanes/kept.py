"""A journal that lives in the log: what other processes record is in it, a restart loses nothing."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING

from agentjournal.journal.journal import Journal
from agentjournal.lanes.lane import read_lane
from agentjournal.lanes.opened import journal_of, kept_turns
from agentjournal.lanes.owner import owner_name
from agentjournal.lanes.record import record_turn
from agentjournal.lanes.rewrite import consolidate_lane

if TYPE_CHECKING:
    from agentjournal.journal.consolidate import Consolidated
    from agentjournal.journal.consolidation import Consolidator
    from agentjournal.lanes.event import Signature
    from agentjournal.lanes.opened import KeptTurn
    from agentjournal.lanes.record import Recorded
    from agentjournal.lanes.turn import Turn
    from agentjournal.log.log import Log

__all__ = ["KeptJournal"]


class KeptJournal:
    """One owner's journal as the store has it; safe for threads.

    Who writes into `journal` itself writes into memory only: record by `record_turn`.
    """

    def __init__(self, log: Log, stream: str) -> None:
        self.owner = owner_name(stream)
        self.stream = stream
        self._log = log
        self._lock = RLock()
        self._journal = Journal(self.owner)
        self._revision = -1
        self._turns = 0

    @property
    def journal(self) -> Journal:
        """Give the journal as it is stored now.

        It reads what was recorded since; all above the floor only after a rewrite.
        """
        with self._lock, self._log.database.snapshot() as reader:
            lane = read_lane(reader, self.stream)
            is_rewritten = lane.revision != self._revision or lane.turns < self._turns
            known = lane.floor if is_rewritten else self._turns
            turns = list(kept_turns(self._log, reader, self.stream, known, lane.turns))
            if is_rewritten:
                self._journal = journal_of(reader, lane, turns)
            else:
                for turn in turns:
                    _grow(self._journal, turn)
            self._revision, self._turns = lane.revision, lane.turns
            return self._journal

    def record_turn(self, turn: Turn, by: Signature) -> Recorded:
        """Append a turn; see `agentjournal.lanes.record.record_turn`."""
        return record_turn(self._log, self.stream, turn, by)

    def consolidate(
        self, consolidator: Consolidator, by: Signature, keep_fraction: float = 0.5
    ) -> Consolidated:
        """Distil the oldest turns and move the floor; see `lanes.rewrite.consolidate_lane`.

        What the estimate of tokens has learned is kept with it.
        """
        ratio = self.journal.tokens.chars_per_token
        return consolidate_lane(
            self._log, self.stream, consolidator, by, keep_fraction, chars_per_token=ratio
        )


def _grow(journal: Journal, turn: KeptTurn) -> None:
    """Record a turn of the store: what was stale was left out when it was written."""
    said = {entry.kind: entry.text for entry in turn.entries}
    heard = [(entry.speaker, entry.text) for entry in turn.entries if entry.kind == "heard"]
    journal.record_turn(turn.epoch, said.get("situation", ""), heard, said.get("own", ""))
