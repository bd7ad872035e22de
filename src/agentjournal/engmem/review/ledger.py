"""The rows that searches, reads and baseline calls left in a store, or why they are not known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.engmem.ledger.rows import ledger_rows
from agentjournal.engmem.ledger.search_row import TELEMETRY, SearchRow
from agentjournal.errors import InputError
from agentjournal.system.clock import read_moment, timestamp

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from agentjournal.engmem.ledger.rows import Row

__all__ = ["Ledger", "read_ledger"]


@dataclass(frozen=True)
class Ledger:
    """The rows in order, the lines that are none, and why nothing could be measured, if so."""

    rows: tuple[Mapping[str, object], ...] = ()
    unreadable: int = 0
    unmeasured: str | None = None

    def since(self, moment: str) -> Ledger:
        """Give the rows from a moment on, blank for all; one without a time is among them."""
        kept = tuple(row for row in self.rows if (_moment(row) or moment) >= moment)
        return Ledger(kept, self.unreadable, self.unmeasured)


def read_ledger(root: Path, name: str) -> Ledger:
    """Read a ledger of the store: a missing one is empty, one that cannot be read is unmeasured."""
    try:
        rows = list(ledger_rows(root, name))
    except InputError as error:
        return Ledger(unmeasured=error.message)
    kept = tuple(row for row in rows if row is not None and _is_row(row, name))
    return Ledger(kept, len(rows) - len(kept))


def _is_row(row: Row, name: str) -> bool:
    """Say whether a row can be counted; of a search by the rule of `engmem telemetry`."""
    if name == TELEMETRY:
        return SearchRow.of(row) is not None
    return isinstance(row.get("session_id"), str | None)


def _moment(row: Mapping[str, object]) -> str:
    told = read_moment(str(row.get("ts")))
    return timestamp(told) if told else ""
