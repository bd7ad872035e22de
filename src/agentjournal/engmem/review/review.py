"""The measurement after some weeks: did a past document change a decision, and at which cost?"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

from agentjournal.engmem.ledger.cost import tokens_of
from agentjournal.engmem.ledger.cost_row import COST
from agentjournal.engmem.ledger.search_row import TELEMETRY
from agentjournal.engmem.review.audit import Audit, audit
from agentjournal.engmem.review.judge import Judged, judge
from agentjournal.engmem.review.ledger import read_ledger
from agentjournal.engmem.review.recalled import Recalled, recalled
from agentjournal.engmem.review.shelf import read_shelf

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agentjournal.engmem.review.story import Story
    from agentjournal.engmem.store import Failure

__all__ = ["FEWEST", "MOST", "Endpoint", "Review", "review", "review_data"]

FEWEST, MOST = 10, 12  # counted stories over which the endpoint is judged


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """Whether one of the first counted stories took something from afar.

    `met_by` names those stories. With fewer than ten counted stories nothing is decided yet,
    unless it is met already.
    """

    verdict: Literal["met", "not met", "not decided yet"]
    counted: int
    met_by: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Baselines:
    """The reported cost of plans without memory; `tokens` is None where nobody reported any."""

    stories: int
    tokens: int | None


@dataclass(frozen=True, kw_only=True)
class Review:
    """What the documents and ledgers of a store say of its worth."""

    since: str
    endpoint: Endpoint
    rows: tuple[Judged, ...]
    audit: Audit
    baselines: Baselines
    recalled: Recalled
    failures: tuple[Failure, ...]


def review(root: Path, since: str = "") -> Review:
    """Measure a store; `since` is a moment that narrows the ledgers, not the documents; blank for all.

    Raises:
        NotFoundError: there is no folder `sessions`.
        InputError: it cannot be listed.
    """
    shelf = read_shelf(root)
    telemetry, costs = read_ledger(root, TELEMETRY), read_ledger(root, COST)
    rows = judge(shelf)
    stories = list(shelf.stories.values())
    return Review(
        since=since,
        endpoint=_endpoint(stories, rows),
        rows=rows,
        audit=audit(stories, telemetry, telemetry.since(since)),
        baselines=_baselines(stories, recalled(costs, telemetry)),
        recalled=recalled(costs.since(since), telemetry.since(since)),
        failures=shelf.failures,
    )


def review_data(found: Review) -> dict[str, object]:
    """Give the review as plain data; what is unmeasured is null there."""
    data = asdict(found)
    data["failures"] = [{"file": each.file, "reason": each.reason} for each in found.failures]
    cost = found.recalled
    data["recalled"]["tokens_estimate"] = None if cost.unmeasured else tokens_of(cost.bytes)
    if cost.unmeasured:
        data["recalled"] |= {"deliveries": None, "bytes": None, "unattributed": None}
    return data


def _endpoint(stories: Sequence[Story], rows: Sequence[Judged]) -> Endpoint:
    """Judge the first twelve counted stories, in the order of their dates."""
    counted = sorted(
        (story for story in stories if _is_counted(story)), key=lambda story: (story.date, story.id)
    )
    first = {story.id for story in counted[:MOST]}
    distant = {row.story for row in rows if row.is_valid and row.distance == "distant"}
    met = tuple(story.id for story in counted if story.id in first & distant)
    verdict: Literal["met", "not met", "not decided yet"] = (
        "met" if met else "not met" if len(counted) >= FEWEST else "not decided yet"
    )
    return Endpoint(verdict=verdict, counted=len(counted), met_by=met)


def _is_counted(story: Story) -> bool:
    return (
        story.status == "active"
        and story.is_counted
        and not story.is_backfilled
        and not story.is_about_the_memory
        and (story.has_prereg or story.has_reuse_log)
    )


def _baselines(stories: Sequence[Story], cost: Recalled) -> Baselines:
    """Add up what each document's plan without memory cost: as the ledger says, else as it says."""
    told = {story.id: story.baseline_tokens for story in stories}
    reported = {each.session: each.baseline_tokens for each in cost.sessions}
    each = [
        tokens
        for id_ in told
        if (tokens := reported.get(id_) if reported.get(id_) is not None else told[id_]) is not None
    ]
    return Baselines(stories=len(each), tokens=sum(each) if each else None)
