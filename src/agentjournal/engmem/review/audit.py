"""How far the ritual was followed: which documents took part, and where its marks are missing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agentjournal.engmem.review.ledger import Ledger
    from agentjournal.engmem.review.story import Story

__all__ = ["Audit", "Searches", "audit"]


@dataclass(frozen=True, kw_only=True)
class Searches:
    """The searches that were logged; None where the log could not be read: unmeasured, not zero."""

    attributed: int
    sessions: int
    unattributed: int
    orphans: tuple[str, ...]
    unsearched: tuple[str, ...]
    unreadable: int


@dataclass(frozen=True, kw_only=True)
class Audit:
    """The figures over the documents for which the ritual was run, those apart counted by why.

    `orphans` are sessions that no document is named after, `unsearched` the documents that say
    they were searched for and are in no row of the log.
    """

    active: int
    draft: int
    superseded: int
    apart: Mapping[str, int]
    with_reuse_log: int
    saying_none: int
    saying_none_apart: int
    without_reuse_log: tuple[str, ...]
    without_trace: tuple[str, ...]
    conflicting: tuple[str, ...]
    searches: Searches | None
    unmeasured: str | None


def audit(stories: Iterable[Story], telemetry: Ledger, since: Ledger) -> Audit:
    """Count the documents and their searches; `since` is the telemetry of the time asked for."""
    every = sorted(stories, key=lambda story: story.id)
    apart = {story.id: why for story in every if (why := _apart(story))}
    ritual = [story for story in every if story.id not in apart]
    active = [story for story in ritual if story.status == "active"]
    counts = Counter(story.status for story in ritual)
    return Audit(
        active=counts["active"],
        draft=counts["draft"],
        superseded=counts["superseded"],
        apart=dict(sorted(Counter(apart.values()).items())),
        with_reuse_log=sum(story.has_reuse_log for story in ritual),
        saying_none=sum(story.says_none for story in ritual),
        saying_none_apart=sum(story.says_none for story in every if story.id in apart),
        without_reuse_log=tuple(story.id for story in active if not story.has_reuse_log),
        without_trace=tuple(story.id for story in active if not story.has_trace),
        conflicting=tuple(story.id for story in every if story.is_conflicting),
        searches=None if telemetry.unmeasured else _searches(every, ritual, telemetry, since),
        unmeasured=telemetry.unmeasured,
    )


def _apart(story: Story) -> str:
    """Say why a document took no part in the ritual; empty for one that did."""
    if story.is_backfilled:
        return "backfilled"
    if not story.is_counted and story.observation != "missing_baseline":
        return f"not counted ({story.observation.replace('_', ' ')})"
    return "" if story.has_prereg else "without Pre-reg"


def _searches(
    every: list[Story], ritual: list[Story], telemetry: Ledger, since: Ledger
) -> Searches:
    rows = [str(row["session_id"]) for row in since.rows if row.get("session_id")]
    ever = {str(row["session_id"]) for row in telemetry.rows if row.get("session_id")}
    known = {story.id for story in every}
    return Searches(
        attributed=len(rows),
        sessions=len(set(rows)),
        unattributed=len(since.rows) - len(rows),
        orphans=tuple(sorted(set(rows) - known)),
        unsearched=tuple(
            story.id
            for story in ritual
            if story.trace in {"shell", "paste"} and story.id not in ever
        ),
        unreadable=since.unreadable,
    )
