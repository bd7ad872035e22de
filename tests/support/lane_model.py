"""What an owner's journal in a store has to be: the same life in memory, told by its own class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.errors import JournalError
from agentjournal.journal.consolidate import consolidate
from agentjournal.journal.consolidation import Consolidation
from agentjournal.journal.journal import Journal
from agentjournal.lanes.neutral import harmless_memory
from agentjournal.lanes.owner import owner_name
from agentjournal.lanes.turn import prepare

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agentjournal.journal.memory import LayoutName
    from agentjournal.lanes.record import Recorded
    from agentjournal.lanes.turn import Turn


class LaneModel:
    """Follows a store until something is taken back, which no journal in memory can do."""

    def __init__(self, owner: str, layout: LayoutName) -> None:
        self.name, self.layout = owner_name(owner), layout
        self.journal: Journal | None = Journal(self.name, layout=layout)

    def lose(self) -> None:
        self.journal = None

    def clear(self) -> None:
        if self.journal is None:
            self.journal = Journal(self.name, layout=self.layout)
        self.journal.clear()

    def record(self, turn: Turn, answer: Recorded) -> None:
        if self.journal is not None:
            said = prepare(self.name, turn, self.layout).said
            heard = [(each.speaker, each.text) for each in said if each.kind == "heard"]
            texts = {each.kind: each.text for each in said}
            situation, own = texts.get("situation", ""), texts.get("own", "")
            self.journal.record_turn(answer.epoch, situation, heard, own)

    def consolidate(
        self, result: Consolidation | None, keep: float, meanwhile: Callable[[], object] = bool
    ) -> None:
        """Distil as the store did, with what happened while the model thought."""

        def consolidator(_: object) -> Consolidation:
            meanwhile()
            if result is None:
                raise RuntimeError("the model is away")
            identity = harmless_memory(result.identity, self.layout)[0]
            return Consolidation(identity, result.ledger)

        if self.journal is not None:
            try:
                consolidate(self.journal, consolidator, keep)
            except JournalError:
                return

    def append(self, lines: Sequence[str]) -> None:
        if self.journal is not None:
            self.journal.append_ledger(harmless_memory(line, self.layout)[0] for line in lines)
