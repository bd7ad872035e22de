"""Ranking: the parts of a document's score, and the order of the hits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.engmem.ranking.encoded import FIELDS
from agentjournal.engmem.ranking.found import held_by
from agentjournal.engmem.ranking.score import body, proximity, spine
from agentjournal.engmem.ranking.trust import is_exact, is_weak
from agentjournal.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agentjournal.engmem.header import Header
    from agentjournal.engmem.ranking.encoded import Encoded
    from agentjournal.engmem.ranking.found import Held, Place
    from agentjournal.engmem.ranking.query import Query
    from agentjournal.engmem.ranking.statistics import Statistics

__all__ = ["Hit", "rank"]

SECTIONS = 3  # named of one document


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


def rank(
    query: Query, candidates: Iterable[tuple[Header, Encoded]], statistics: Statistics
) -> list[Hit]:
    """Give the candidates that hold anything asked for, best first.

    Order: reliable before weak, exact before others, then score, newer date, id.
    """
    hits = [
        hit
        for header, encoded in candidates
        if (hit := _hit(query, header, encoded, statistics)).score > 0
    ]
    hits.sort(key=lambda hit: hit.header.id)
    hits.sort(key=lambda hit: hit.header.date, reverse=True)
    hits.sort(key=lambda hit: (hit.is_weak, not hit.is_exact, -hit.score))
    return hits


def _hit(query: Query, header: Header, encoded: Encoded, statistics: Statistics) -> Hit:
    tokens = (*query.tokens, *query.names)
    held = held_by(encoded, tokens)
    scored = body(query, held, statistics)
    near = proximity(query, held, scored, statistics)
    parts = {"spine": spine(query, held), "body": scored.score, "proximity": near}
    found = {token.word for token, places in zip(query.tokens, held.places, strict=False) if places}
    return Hit(
        header=header,
        score=sum(parts.values()),
        parts=parts,
        matched=tuple(_matched(query, held, scored.best)),
        sections=tuple(place - len(FIELDS) + 1 for place in scored.sections[:SECTIONS]),
        is_weak=is_weak(query, encoded, held, statistics),
        is_exact=is_exact(query, encoded, held),
        covered=tuple(word for at, word in enumerate(query.words) if at in found),
        asked=query.words,
    )


def _matched(query: Query, held: Held, best: int | None) -> Iterable[tuple[str, tuple[str, ...]]]:
    named: dict[int, list[str]] = {}
    for at, token in enumerate((*query.tokens, *query.names)):
        forms: dict[int, Place] = {}
        for place in held.places[at]:
            if place.part < len(FIELDS) or place.part == best:
                forms.setdefault(place.part, place)
                if place.fit > forms[place.part].fit:
                    forms[place.part] = place
        for part, place in forms.items():
            word = token.form if place.form == token.form else f"{token.form}~{place.form}"
            named.setdefault(part, []).append(word)
    for part, words in sorted(named.items(), key=lambda each: each[0] >= len(FIELDS)):
        name = FIELDS[part] if part < len(FIELDS) else held.locators[part]
        yield name, tuple(words)
