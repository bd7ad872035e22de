"""One search, as the telemetry of a store holds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from agentjournal.engmem.ledger.rows import count_of, ledger_rows, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agentjournal.engmem.ledger.rows import Row

__all__ = ["TELEMETRY", "SearchRow", "searches"]

TELEMETRY = "telemetry.jsonl"


@dataclass(frozen=True, kw_only=True)
class SearchRow:
    """What a search said of itself; what a row leaves out is empty or 0.

    `delivered_bytes` is the size of everything it printed, None where only the result was measured.
    """

    session: str | None
    channel: str
    result: str
    surfaced: tuple[str, ...]
    is_weak: bool
    context_bytes: int
    context_tokens: int
    delivered_bytes: int | None

    @classmethod
    def of(cls, row: Row) -> Self | None:
        """Take a row, or None where a field is of the wrong type."""
        surfaced = row.get("surfaced", [])
        if not isinstance(surfaced, list):
            return None
        try:
            return cls(
                session=text_of(row, "session_id"),
                channel=text_of(row, "channel") or "unknown",
                result=text_of(row, "result") or "",
                surfaced=tuple(each for each in surfaced if isinstance(each, str)),
                is_weak=row.get("weak_only") is True,
                context_bytes=count_of(row, "context_bytes") or 0,
                context_tokens=count_of(row, "context_tokens_estimate") or 0,
                delivered_bytes=count_of(row, "delivered_bytes"),
            )
        except ValueError:
            return None


def searches(root: Path) -> Iterator[SearchRow | None]:
    """Give every search of a store's telemetry, None for a line that cannot be taken.

    Raises:
        InputError: the telemetry cannot be read.
    """
    return (None if row is None else SearchRow.of(row) for row in ledger_rows(root, TELEMETRY))
