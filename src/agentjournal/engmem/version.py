"""How this program names itself in the ledgers that it shares with other tools."""

from __future__ import annotations

__all__ = ["PROGRAM"]

# A constant, for asking the installed package costs a search a fifth of its time; a test compares.
PROGRAM = "agent-journal 0.1.0"
