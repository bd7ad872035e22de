"""What a harvest found, told to the person who asked for it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from agentjournal.text.bounded import clip, fit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.recall.claim import Claim
    from agentjournal.recall.harvest.harvest import Harvest

__all__ = ["harvest_data", "harvest_text"]

CAP = 4_000  # bytes
SHOWN = 8  # candidates
PLANS = 5
_WHY = 240  # bytes; `tried` tells more


def harvest_text(found: Harvest, cap: int = CAP) -> str:
    """Tell the numbers, the first candidates with their evidence, and the plans."""
    counts = ", ".join(_counted(number, word) for word, number in found.counts.items() if number)
    counts = counts or "no reverts, decision records or plans"
    head = f"{found.repository}: read {_counted(found.commits, 'commits')}; found {counts}."
    lines = [head, *_candidates(found), *_plans(found)]
    return fit(lines, cap, lambda count: f"({count} more lines.)")


def harvest_data(found: Harvest) -> dict[str, object]:
    """Give a harvest as plain values, for `--json`."""
    return {
        "repository": found.repository,
        "commits": found.commits,
        "counts": dict(found.counts),
        "candidates": [asdict(claim) for claim in found.candidates],
        "plans": [asdict(plan) for plan in found.plans],
    }


def _candidates(found: Harvest) -> list[str]:
    if not found.candidates:
        return []
    total, shown = len(found.candidates), _first(found.candidates)
    lines = [
        "",
        f"Candidates ({total}), none of them in force; `agentjournal tried WORDS` asks them too:",
    ]
    lines += [line for claim in shown for line in _lines(claim)]
    more = total - len(shown)
    return [*lines, f"  ({more} more.)"] if more else lines


def _first(candidates: Sequence[Claim]) -> list[Claim]:
    """Take the first ones, half of them from commits where there are others too."""
    turns = [each for each in candidates if not each.id.startswith("record:")]
    records = [each for each in candidates if each.id.startswith("record:")]
    kept = turns[: max(SHOWN // 2, SHOWN - len(records))]
    return [*kept, *records[: SHOWN - len(kept)]]


def _lines(claim: Claim) -> list[str]:
    why = [f"    {clip(claim.why, _WHY)}"] if claim.why else []
    return [f"  {claim.verdict}: {claim.what}", *why, f"    {claim.evidence}"]


def _plans(found: Harvest) -> list[str]:
    if not found.plans:
        return []
    lines = ["", "Plans, which `agentjournal plan add SLUG FILE` registers:"]
    lines += [
        f"  {each.path}: {each.tasks} tasks, {each.done} done" for each in found.plans[:PLANS]
    ]
    more = len(found.plans) - PLANS
    return [*lines, f"  ({more} more.)"] if more > 0 else lines


def _counted(number: int, word: str) -> str:
    """Write `1 revert` or `2 reverts`; what is left out is no plural."""
    return f"{number:,} {word[:-1] if number == 1 and word.endswith('s') else word}"
