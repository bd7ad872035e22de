"""What every line of a ledger carries beside its content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from datetime import datetime

__all__ = ["Channel", "Stamp"]

Channel = Literal["cli", "mcp", "brief"]


@dataclass(frozen=True, kw_only=True)
class Stamp:
    """When, by which version and over which channel it is written; `op_id` is its own, used once."""

    now: datetime
    version: str
    channel: Channel
    op_id: str

    @property
    def ts(self) -> str:
        """Give the moment as ledgers hold it: ISO, in microseconds, with its offset."""
        return self.now.isoformat(timespec="microseconds")
