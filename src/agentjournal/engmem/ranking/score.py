"""The parts of a document's score: its fields, its title, its sections, its age."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.engmem.ranking.encoded import FIELDS
from agentjournal.engmem.ranking.found import INFLECTED
from agentjournal.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.engmem.ranking.found import Held, Place
    from agentjournal.engmem.ranking.query import Query, Token
    from agentjournal.engmem.ranking.statistics import Statistics

__all__ = ["Asked", "Body", "asked", "body", "spine", "title"]

# What a word counts in the id, entities, title, tags, covers_files; 5 where it is the id's number
# or the whole id was asked for.
_WEIGHTS = (1.0, 3.0, 2.0, 1.0, 2.0)
_OF_ID = 5.0
_TITLE_PART = FIELDS.index("title")
_TITLE = 4.0  # a title that says nothing else

_PART = 0.6  # a part of a class name beside a word
_NAME = 0.6  # a name at hand beside a word that was asked for
_LATER = 0.05  # each word asked for tells less than the one before it
_LEAST = 0.3

_SATURATION = 1.2  # k1 of BM25
_SECTION = 0.5  # b of BM25: how much a long section counts against it
_DOCUMENT = 0.2
_EXACT = 0.2  # beside all forms, those that are spelled as asked

FIRST = len(FIELDS)  # the first part that is a section


@frozen
class Asked:
    """A token with what it counts in a field (`weight`), and how much it tells in a text."""

    token: Token
    weight: float
    worth: float


@frozen
class Body:
    """What the sections say: the score, and what each that holds anything says, best first."""

    score: float
    sections: tuple[tuple[int, float], ...]


def asked(query: Query, statistics: Statistics) -> tuple[Asked, ...]:
    """Weigh every token of a query, then those of its names."""
    return tuple(
        Asked(token, weight, weight * statistics.rarity(token))
        for tokens, usual in ((query.tokens, 1.0), (query.names, _NAME))
        for token in tokens
        for weight in (usual * _faded(token) * (_PART if token.is_part else 1),)
    )


def _faded(token: Token) -> float:
    return max(1 / (1 + _LATER * token.word), _LEAST)


def spine(query: Query, tokens: Sequence[Asked], held: Held) -> float:
    """Add up the best field of each token, times the share of tokens found in a field.

    That of a name at hand is added as it is: nobody asked for it, so it cannot be missing.
    """
    is_whole_id = _is_whole_id(query, held)
    best = [
        max((_worth(each, place, is_whole_id) for place in places), default=0.0)
        for each, places in zip(tokens, held.places, strict=True)
    ]
    own, beside = best[: len(query.tokens)], best[len(query.tokens) :]
    return sum(own) * sum(map(bool, own)) / max(len(own), 1) + sum(beside)


def _worth(each: Asked, place: Place, is_whole_id: bool) -> float:  # noqa: FBT001 - it is counted for all
    if place.part >= FIRST:
        return 0.0
    is_id = place.part == 0 and (is_whole_id or each.token.form.isdigit())
    return each.weight * place.fit * (_OF_ID if is_id else _WEIGHTS[place.part])


def _is_whole_id(query: Query, held: Held) -> bool:
    """Say whether every word of the id was asked for."""
    found = {
        p.at
        for at, t in enumerate(query.tokens)
        if not t.is_part
        for p in held.places[at]
        if p.part == 0
    }
    return len(found) >= held.lengths[0]


def title(tokens: Sequence[Asked], held: Held, most: int) -> float:
    """Reward a title of which the question says much."""
    found = sum(
        each.weight
        for at, each in enumerate(tokens[:most])
        if any(place.part == _TITLE_PART for place in held.places[at])
    )
    return _TITLE * min(found / max(held.lengths[_TITLE_PART], 1), 1)


def body(tokens: Sequence[Asked], held: Held, statistics: Statistics) -> Body:
    """Score the best section and the document as a whole by BM25, each counts by half."""
    sections: dict[int, float] = {}
    whole = 0.0
    usual = statistics.words_of_section
    length = sum(held.lengths[FIRST:]) / statistics.words_of_document
    for each, places in zip(tokens, held.places, strict=True):
        counts: dict[int, float] = {}
        exact = 0.0
        for part, _, _, fit in places:
            if part >= FIRST:
                counts[part] = counts.get(part, 0.0) + (1.0 if fit >= INFLECTED else fit)
                exact += fit == 1
        for part, count in counts.items():
            told = each.worth * _saturated(count, _SECTION, held.lengths[part] / usual)
            sections[part] = sections.get(part, 0.0) + told
        if counts:
            told = _saturated(sum(counts.values()), _DOCUMENT, length)
            whole += each.worth * (told + _EXACT * _saturated(exact, _DOCUMENT, length))
    order = sorted(sections.items(), key=lambda section: (-section[1], section[0]))
    best = order[0][1] if order else 0.0
    return Body((best + whole) / 2, tuple(order))


def _saturated(count: float, long: float, length: float) -> float:
    slow = _SATURATION * (1 - long + long * length)
    return count * (_SATURATION + 1) / (count + slow)
