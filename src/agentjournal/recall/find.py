"""The claims of every source that answer a question, ranked on one scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.search.match import Field, Match, match
from agentjournal.search.question import Question, read_question
from agentjournal.search.rank import pooled
from agentjournal.search.words import words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from agentjournal.recall.claim import Claim, Source, Verdict
    from agentjournal.search.rank import Frequencies
    from agentjournal.search.words import Known

__all__ = ["Finding", "Ranked", "find"]

CANDIDATES = 24  # claims that a source may propose: the match decides among them
WEAK = 3  # shown, where nothing better was found
FADED = 0.3  # of the best score: what lies below only has words in common
WEAKER = 0.5  # the same of weak matches, of which even the best may be chance
TOO_LITTLE = 0.1  # share of what was asked below which a weak match is noise


@dataclass(frozen=True)
class Ranked:
    """A claim and how well it answers."""

    claim: Claim
    match: Match


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What was found, best first; `weak` is filled only where `strong` is empty.

    `searched` counts the claims of each source, in the sources' order.
    """

    question: Question
    strong: tuple[Ranked, ...]
    weak: tuple[Ranked, ...]
    searched: Mapping[str, int]


def find(
    sources: Iterable[Source], text: str, *, verdicts: Collection[Verdict] | None = None
) -> Finding:
    """Ask every source; `verdicts` narrows the answer, as to what was rejected."""
    question = read_question(text)
    answers = {source.name: source.claims(question.stems, CANDIDATES) for source in sources}
    frequencies = pooled(answer.frequencies for answer in answers.values())
    wanted = [
        claim
        for answer in answers.values()
        for claim in answer.claims
        if claim.standing != "superseded" and (verdicts is None or claim.verdict in verdicts)
    ]
    ranked = _distinct(_ranked(question, wanted, frequencies))
    strong = [each for each in ranked if each.match.is_strong]
    likely = [each for each in ranked if each.match.share >= TOO_LITTLE]
    return Finding(
        question=question,
        strong=_near_the_best(strong, FADED),
        weak=() if strong else _near_the_best(likely, WEAKER)[:WEAK],
        searched={name: answer.frequencies.total for name, answer in answers.items()},
    )


def _near_the_best(ranked: Sequence[Ranked], part: float) -> tuple[Ranked, ...]:
    floor = part * max((each.match.score for each in ranked), default=0)
    return tuple(each for each in ranked if each.match.score >= floor)


def _ranked(question: Question, claims: Sequence[Claim], frequencies: Frequencies) -> list[Ranked]:
    known: Known = {}
    found = [
        Ranked(claim, match(question, _fields(claim), frequencies, known=known)) for claim in claims
    ]
    return sorted(found, key=_order)


def _fields(claim: Claim) -> tuple[Field, Field]:
    return Field(claim.what, 2), Field(claim.why, 1)


def _order(ranked: Ranked) -> tuple[bool, bool, float, str]:
    is_candidate = ranked.claim.standing == "candidate"
    return (not ranked.match.is_strong, is_candidate, -ranked.match.score, ranked.claim.id)


def _distinct(ranked: Iterable[Ranked]) -> list[Ranked]:
    """Leave one of several claims that say the same thing: the first, which is the best."""
    kept: dict[tuple[str, ...], Ranked] = {}
    for each in ranked:
        kept.setdefault((each.claim.verdict, *words(each.claim.what)), each)
    return list(kept.values())
