"""Was this tried? One bounded answer out of every source of claims."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.recall.find import find
from agentjournal.text.bounded import clip, size
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from agentjournal.recall.claim import Claim, Source, Verdict
    from agentjournal.recall.find import Finding, Ranked

__all__ = ["CAP", "CEILING", "LIMIT", "Answer", "answer_data", "tried"]

CAP = 3_000
CEILING = 8_000
LIMIT = 8

_WHAT = 320  # bytes of one line
_WHYS = (640, 320, 160)  # bytes; the first at which everything fits
_CONDITION = 240
_WORDS = 160
_EVIDENCE = 240
_BEGIN = "`agentjournal init` reads what a repository rejected."


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The rendered answer and what it shows; `weak` is filled only where `claims` is empty."""

    text: str
    claims: tuple[Ranked, ...]
    weak: tuple[Ranked, ...]
    searched: Mapping[str, int]


def tried(
    sources: Iterable[Source],
    text: str,
    *,
    cap: int = CAP,
    limit: int = LIMIT,
    verdicts: Collection[Verdict] | None = None,
) -> Answer:
    """Ask every source whether the thing in these words was tried, decided or learned from.

    The text stays within `cap` bytes (at most 8,000) and names at most `limit` claims (at most 8),
    what is in force before candidates. `verdicts` narrows it, as to what was rejected.
    """
    finding = find(sources, text, verdicts=verdicts)
    shown = (finding.strong or finding.weak)[: min(limit, LIMIT)]
    return Answer(
        text=_rendered(finding, shown, min(cap, CEILING)),
        claims=shown if finding.strong else (),
        weak=() if finding.strong else shown,
        searched=finding.searched,
    )


def answer_data(answer: Answer) -> dict[str, object]:
    """Give the answer as plain values, for `--json`."""
    return {
        "claims": [_data(each) for each in answer.claims],
        "weak": [_data(each) for each in answer.weak],
        "searched": dict(answer.searched),
    }


def _rendered(finding: Finding, shown: tuple[Ranked, ...], cap: int) -> str:
    """Show as many records as fit, and of their reasons as much as then fits."""
    total = len(finding.strong or finding.weak)
    for kept in range(len(shown), 0, -1):
        for width in _WHYS:
            blocks = [_block(place, each, width) for place, each in enumerate(shown[:kept], 1)]
            rest = [_left_out(total - kept)] if total > kept else []
            text = "\n\n".join([_head(finding), *blocks, *rest])
            if size(text) <= cap:
                return text
    return clip(_head(finding), cap)


def _left_out(count: int) -> str:
    noun = "record matches" if count == 1 else "records match"
    return f"({count} more {noun}: ask in more words, or raise the cap.)"


def _head(finding: Finding) -> str:
    if finding.strong:
        count = len(finding.strong)
        return f"tried: {count} {'record' if count == 1 else 'records'} of past work, best first"
    if finding.weak:
        return (
            "tried: no sure match. What follows shares only a word or two with the question; "
            "read it before you decide"
        )
    return f"tried: nothing found. {_searched(finding)}"


def _searched(finding: Finding) -> str:
    parts = [f"{count:,} in {name}" for name, count in finding.searched.items()]
    told = f"Searched claims: {', '.join(parts)}." if parts else "There is no record to search yet."
    return told if any(finding.searched.values()) else f"{told} {_BEGIN}"


def _block(place: int, ranked: Ranked, width: int) -> str:
    claim = ranked.claim
    weak = "" if ranked.match.is_strong else "(weak) "
    lines = [
        f"{place}. {weak}{claim.verdict}: {one_line(claim.what, _WHAT)}",
        f"   why: {one_line(claim.why, width) or 'no reason is recorded'}",
        f"   from: {one_line(_evidence(claim), _EVIDENCE)}",
        f"   standing: {_standing(claim)}",
        f"   matched: {one_line(', '.join(ranked.match.words), _WORDS)}",
    ]
    return "\n".join(lines)


def _evidence(claim: Claim) -> str:
    actor = f", by {claim.actor}" if claim.actor else ""
    revision = f", plan revision {claim.revision}" if claim.revision else ""
    return f"{claim.scope}, {claim.evidence}{actor}{revision}"


def _standing(claim: Claim) -> str:
    words = "candidate, accepted by nobody" if claim.standing == "candidate" else claim.standing
    return f"{words}; {one_line(claim.reopen_if, _CONDITION)}" if claim.reopen_if else words


def _data(ranked: Ranked) -> dict[str, object]:
    claim, found = ranked.claim, ranked.match
    return {
        "id": claim.id,
        "verdict": claim.verdict,
        "what": claim.what,
        "why": claim.why,
        "scope": claim.scope,
        "evidence": claim.evidence,
        "source": claim.source,
        "standing": claim.standing,
        "reopen_if": claim.reopen_if,
        "actor": claim.actor,
        "revision": claim.revision,
        "is_strong": found.is_strong,
        "share": round(found.share, 2),
        "matched": list(found.words),
    }
