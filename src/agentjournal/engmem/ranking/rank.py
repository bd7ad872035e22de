"""Ranking: the parts of a document's score, and the order of the hits."""

from __future__ import annotations

from agentjournal.engmem.ranking.found import held_by
from agentjournal.engmem.ranking.near import nearness
from agentjournal.engmem.ranking.score import FIRST, asked, body, spine, title
from agentjournal.engmem.ranking.trust import is_exact, is_weak
from agentjournal.frozen import frozen
from agentjournal.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from agentjournal.engmem.header import Header
    from agentjournal.engmem.ranking.encoded import Encoded
    from agentjournal.engmem.ranking.found import Held
    from agentjournal.engmem.ranking.query import Query, Token
    from agentjournal.engmem.ranking.score import Asked
    from agentjournal.engmem.ranking.statistics import Statistics

__all__ = ["Hit", "rank"]

SECTIONS = 3  # named of one document
MOST = 32  # hits
_NEAR_IN = 6  # their sections that answer best
_AGE = 0.12  # off a score for each year that a document is older than the newest candidate


@frozen(kw_only=True)
class Hit:
    """A document that answers, and why.

    `score` is the sum of `parts` and orders the hits; `matched` names each field with the words
    found there, as `asked~found` where they are spelled differently; `sections` are the places of
    those that answer best; `covered` are those of the words `asked` that were found.
    """

    header: Header
    score: float
    parts: Mapping[str, float]
    matched: tuple[tuple[str, tuple[str, ...]], ...]
    sections: tuple[int, ...]
    is_weak: bool
    is_exact: bool
    covered: tuple[str, ...]
    asked: tuple[str, ...]


class _Scored(NamedTuple):
    header: Header
    encoded: Encoded
    held: Held
    parts: dict[str, float]
    sections: tuple[tuple[int, float], ...]
    is_exact: bool

    @property
    def score(self) -> float:
        return sum(self.parts.values())

    @property
    def named(self) -> float:
        """Say how far an exact hit is what was named; 0 for all others."""
        return self.parts["spine"] + self.parts["title"] if self.is_exact else 0.0


def rank(
    query: Query, candidates: Iterable[tuple[Header, Encoded]], statistics: Statistics
) -> list[Hit]:
    """Give the candidates that hold anything asked for, best first, at most 32.

    Order: exact before others, then score, newer date, id. Exact ones stand by what their fields
    say, which no other document has a say in, before the rest. A weak hit is marked, not moved:
    among questions with known answers every way to move it lost more right ones than it gained.
    """
    tokens = asked(query, statistics)
    scored = [_scored(query, tokens, *each, statistics) for each in candidates]
    scored = [each for each in scored if each.score > 0]
    newest = max((each.header.date for each in scored), default="")
    for each in scored:
        each.parts["age"] = -min(_AGE * _years(each.header.date, newest), each.score / 2)
    for each in _ordered(scored)[:MOST]:
        sections = [part for part, _ in each.sections[:_NEAR_IN]]
        each.parts["nearness"] = nearness(tokens, each.held, sections)
    return [_hit(query, tokens, each, statistics.documents) for each in _ordered(scored)[:MOST]]


def _ordered(scored: Iterable[_Scored]) -> list[_Scored]:
    by_id = sorted(scored, key=lambda each: each.header.id)
    newest_first = sorted(by_id, key=lambda each: each.header.date, reverse=True)
    return sorted(newest_first, key=lambda each: (not each.is_exact, -each.named, -each.score))


def _scored(
    query: Query, tokens: Sequence[Asked], header: Header, encoded: Encoded, statistics: Statistics
) -> _Scored:
    held = held_by(encoded, [each.token for each in tokens])
    told = body(tokens, held, statistics)
    parts = {
        "spine": spine(query, tokens, held),
        "title": title(tokens, held, len(query.tokens)),
        "body": told.score,
    }
    return _Scored(header, encoded, held, parts, told.sections, is_exact(query, encoded, held))


def _hit(query: Query, tokens: Sequence[Asked], scored: _Scored, documents: int) -> Hit:
    held = scored.held
    found = {token.word for token, places in zip(query.tokens, held.places, strict=False) if places}
    best = scored.sections[0][0] if scored.sections else None
    return Hit(
        header=scored.header,
        score=scored.score,
        parts=scored.parts,
        matched=tuple(_matched([each.token for each in tokens], held, best)),
        sections=tuple(part - FIRST + 1 for part, _ in scored.sections[:SECTIONS]),
        is_weak=not scored.is_exact and is_weak(query, tokens, scored.encoded, held, documents),
        is_exact=scored.is_exact,
        covered=tuple(word for at, word in enumerate(query.words) if at in found),
        asked=query.words,
    )


def _years(date: str, newest: str) -> float:
    """Give the years between two dates; a document without a date is as new as any."""
    return max(_months(newest) - _months(date), 0) / 12 if date else 0.0


def _months(date: str) -> int:
    return 12 * int(date[:4]) + int(date[5:7]) if date else 0


def _matched(
    tokens: Sequence[Token], held: Held, best: int | None
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Name the words in each field, in the order of the first match, and in the best section."""
    named: dict[int, list[str]] = {}
    shown = [*range(FIRST), *([] if best is None else [best])]
    for token, places in zip(tokens, held.places, strict=True):
        for part in shown:
            if part in places:
                _, form, _ = max(places[part], key=lambda place: place[2])
                word = token.form if form == token.form else f"{token.form}~{form}"
                named.setdefault(part, []).append(word)
    for part in sorted(named, key=lambda each: each >= FIRST):
        yield held.locator(part), tuple(named[part])
