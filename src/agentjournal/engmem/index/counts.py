"""What a store holds, counted: the words of its scoreboard."""

from __future__ import annotations

from agentjournal.frozen import frozen

__all__ = ["Counts"]


@frozen(kw_only=True)
class Counts:
    """Documents of any status that were read, how many of which kind, and files that failed.

    `newest` is the latest date of all, `YYYY-MM-DD`, empty where there is none.
    """

    total: int
    drafts: int
    active: int
    superseded: int
    partial: int
    degraded: int
    failed: int
    newest: str
