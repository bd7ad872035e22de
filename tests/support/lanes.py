"""Owners' journals in a store, and writers that sign with ids in order."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from agentjournal.execution.fold import EXECUTION_TABLES, ExecutionFold
from agentjournal.journal.consolidation import Consolidation
from agentjournal.lanes.event import Signature
from agentjournal.lanes.fold import LANE_TABLES, LaneFold
from agentjournal.lanes.record import record_turn
from agentjournal.lanes.turn import Turn
from agentjournal.log.log import Log

if TYPE_CHECKING:
    from agentjournal.journal.consolidation import ConsolidationRequest
    from agentjournal.lanes.record import Recorded
    from agentjournal.storage.database import Database

AT = "2026-01-02T03:04:05.000006Z"
OWNER = "lane/council"


def lane_log(database: Database) -> Log:
    """Give a migrated log with the folds that every store of ours has."""
    log = Log(database, [ExecutionFold(), LaneFold()], [EXECUTION_TABLES, LANE_TABLES])
    log.migrate()
    return log


class Writer:
    """Signs with ids in order, so that a test need not name them."""

    def __init__(self, name: str = "w") -> None:
        self.name = name
        self.numbers = count(1)
        self.last = ""

    def sign(self) -> Signature:
        self.last = f"{self.name}-{next(self.numbers)}"
        return Signature(id=self.last, actor="ada", at=AT)

    def turn(self, log: Log, situation="", heard=(), own="", *, owner=OWNER, **more) -> Recorded:
        turn = Turn(situation=situation, heard=heard, own=own, **more)
        return record_turn(log, owner, turn, self.sign())


def plainly(request: ConsolidationRequest) -> Consolidation:
    """Distil as a model would that says little: one line for the span."""
    span = f"[Epochs {request.epoch_start}-{request.epoch_end}]"
    return Consolidation("The owner goes on.", [f"{span} {len(request.entries)} entries."])
