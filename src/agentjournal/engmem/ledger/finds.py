"""Which documents the searches of a session showed it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agentjournal.engmem.ledger.search_row import searches

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Finds", "read_finds"]


@dataclass
class Finds:
    """The documents that each session was shown; True where it saw them as weak candidates only.

    A session's own document is none of its finds.
    """

    by_session: dict[str, dict[str, bool]] = field(default_factory=dict)
    unreadable: int = 0

    def of(self, session: str) -> dict[str, bool]:
        """Give the finds of one session."""
        return self.by_session.get(session, {})


def read_finds(root: Path, session: str | None = None) -> Finds:
    """Collect the finds of one session, or of every one.

    Raises:
        InputError: the telemetry cannot be read.
    """
    finds = Finds()
    for row in searches(root):
        if row is None:
            finds.unreadable += 1
        elif row.session is not None and session in {None, row.session}:
            shown = finds.by_session.setdefault(row.session, {})
            for each in row.surfaced:
                if each != row.session:
                    shown[each] = shown.get(each, True) and row.is_weak
    return finds
