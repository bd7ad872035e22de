"""A review in words: its verdict, the table of rows, and what else was counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.engmem.ledger.cost import tokens_of
from agentjournal.engmem.review.review import FEWEST, MOST
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agentjournal.engmem.review.audit import Audit, Searches
    from agentjournal.engmem.review.judge import Judged
    from agentjournal.engmem.review.recalled import Recalled, Session
    from agentjournal.engmem.review.review import Baselines, Endpoint, Review

__all__ = ["COLUMNS", "Told", "tell"]

COLUMNS = (
    "story",
    "cited",
    "quote",
    "integrity",
    "classification",
    "distance",
    "staleness",
    "changed a decision?",
)
_NAMED = 10
_QUOTE = 120  # bytes
_NAME = 120


@dataclass(frozen=True, kw_only=True)
class Told:
    """The words, each on one visible line; a cell of the last column is empty for a person to fill."""

    verdict: str
    table: tuple[tuple[str, ...], ...]
    parts: Mapping[str, tuple[str, ...]]


def tell(found: Review) -> Told:
    """Put a review into words."""
    return Told(
        verdict=_verdict(found.endpoint),
        table=tuple(_cells(row) for row in found.rows),
        parts={
            "Evidence": tuple(_evidence(found.rows)),
            "Documents": tuple(_documents(found)),
            "Searches": tuple(_searches(found.audit)),
            "Cost": tuple(_cost(found.baselines, found.recalled)),
        },
    )


def _verdict(endpoint: Endpoint) -> str:
    counted = f"counted stories: {endpoint.counted}"
    match endpoint.verdict:
        case "met":
            return (
                f"met: {_names(endpoint.met_by)} took something from a document that shares no "
                f"link, tag or repository ({counted}, the first {MOST} decide)."
            )
        case "not met":
            return f"not met: none of the first {MOST} took anything from afar ({counted})."
        case _:
            return f"not decided yet: {counted}, at least {FEWEST} are needed."


def _cells(row: Judged) -> tuple[str, ...]:
    cited = row.cited if row.version is None else f"{row.cited}@{row.version}"
    return (
        one_line(row.story, _NAME),
        one_line(cited, _NAME),
        one_line(row.quote, _QUOTE),
        row.integrity,
        row.classification,
        row.distance or "",
        row.staleness or "",
        f"excluded: {one_line(row.excluded)}" if row.excluded else "",
    )


def _evidence(rows: Sequence[Judged]) -> Iterator[str]:
    valid = Counter(row.distance for row in rows if row.is_valid)
    verified = sum(row.integrity == "verified" for row in rows)
    yield (
        f"{len(rows)} rows, {verified} verified, {valid.total()} valid: {valid['distant']} distant, "
        f"{valid['adjacent']} adjacent, {valid['undecidable']} undecidable."
    )
    reasons = Counter(row.excluded for row in rows if row.excluded)
    for reason, count in sorted(reasons.items(), key=lambda each: (-each[1], each[0])):
        yield f"Excluded: {count} {one_line(reason)}."
    if stale := sum(row.staleness == "cited_superseded" for row in rows):
        yield f"Rows that cite a document that is superseded by now: {stale}."


def _documents(found: Review) -> Iterator[str]:
    told = found.audit
    yield f"Ritual: active {told.active}, draft {told.draft}, superseded {told.superseded}."
    for why, count in told.apart.items():
        yield f"Kept apart: {count} {why}."
    yield (
        f"{told.with_reuse_log} with a Reuse Log; {told.saying_none} say that nothing helped, "
        f"{told.saying_none_apart} more among those kept apart."
    )
    for label, ids in (
        ("Active without a Reuse Log", told.without_reuse_log),
        ("Active without a Search Trace", told.without_trace),
        ("Conflicting, both rows and none", told.conflicting),
    ):
        if ids:
            yield f"{label}: {_names(ids)}."
    for failure in found.failures:
        yield f"Not loaded: {one_line(failure.file, _NAME)}: {one_line(failure.reason)}"


def _searches(told: Audit) -> Iterator[str]:
    if told.searches is None:
        yield f"UNMEASURED: {one_line(told.unmeasured or '')}"
        return
    found: Searches = told.searches
    yield (
        f"{found.attributed} searches in {found.sessions} sessions, "
        f"{found.unattributed} of no session."
    )
    if found.orphans:
        yield f"Sessions that no document is named after: {_names(found.orphans)}."
    if found.unsearched:
        yield f"Say that they were searched for, but no search is logged: {_names(found.unsearched)}."
    if found.unreadable:
        yield f"Unreadable lines of the log, not counted: {found.unreadable}."


def _cost(baselines: Baselines, cost: Recalled) -> Iterator[str]:
    if baselines.tokens is None:
        yield "Plans without memory: UNMEASURED, no story reports their tokens."
    else:
        yield f"Plans without memory: {baselines.tokens:,} tokens; stories that tell: {baselines.stories}."
    if cost.unmeasured:
        yield f"Recall: UNMEASURED: {one_line(cost.unmeasured)}"
    elif not cost.deliveries:
        yield "Recall: UNMEASURED, no delivery is recorded."
    else:
        yield (
            f"Recall: {cost.deliveries} deliveries, {cost.bytes:,} bytes, "
            f"about {tokens_of(cost.bytes):,} tokens; {cost.unattributed:,} bytes of no session."
        )
    yield from (_session(each) for each in cost.sessions)
    if cost.unreadable:
        yield f"Unreadable lines of cost.jsonl, not counted: {cost.unreadable}."
    yield "No saving is claimed: no task was also done without memory."


def _session(told: Session) -> str:
    tokens = "unmeasured" if told.baseline_tokens is None else f"{told.baseline_tokens:,} tokens"
    return (
        f"{one_line(told.session, _NAME)}: {told.searches} searches, {told.reads} reads, "
        f"{told.briefs} in briefs, {told.bytes:,} bytes; its plan without memory: {tokens}."
    )


def _names(ids: Sequence[str]) -> str:
    rest = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return ", ".join(one_line(each, _NAME) for each in ids[:_NAMED]) + rest
