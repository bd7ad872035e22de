"""The parts of a document's score: its fields, its title, its sections, its age."""

from __future__ import annotations

from agentjournal.engmem.ranking.encoded import FIELDS
from agentjournal.engmem.ranking.found import INFLECTED
from agentjournal.frozen import frozen
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.engmem.ranking.found import Held, Places
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
    """A token: what it counts in a field, how much it tells in a text, how likely it is by chance."""

    token: Token
    weight: float
    worth: float
    likelihood: float


@frozen
class Body:
    """What the sections say: the score, and what each that holds anything says, best first."""

    score: float
    sections: tuple[tuple[int, float], ...]


def asked(query: Query, statistics: Statistics) -> tuple[Asked, ...]:
    """Weigh every token of a query, then those of its names."""
    return tuple(
        Asked(token, weight, weight * statistics.rarity(token), statistics.likelihood(token))
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
        _best_field(each, places, is_whole_id)
        for each, places in zip(tokens, held.places, strict=True)
    ]
    own, beside = best[: len(query.tokens)], best[len(query.tokens) :]
    return sum(own) * sum(map(bool, own)) / max(len(own), 1) + sum(beside)


def _best_field(each: Asked, places: Places, is_whole_id: bool) -> float:  # noqa: FBT001 - it is counted for all
    best = 0.0
    for part, found in places.items():
        if part < FIRST:
            is_id = part == 0 and (is_whole_id or each.token.form.isdigit())
            weight = _OF_ID if is_id else _WEIGHTS[part]
            best = max(best, *[each.weight * fit * weight for _, _, fit in found])
    return best


def _is_whole_id(query: Query, held: Held) -> bool:
    """Say whether every word of the id was asked for."""
    found = {
        at
        for token, places in zip(query.tokens, held.places, strict=False)
        if not token.is_part and 0 in places
        for at, _, _ in places[0]
    }
    return len(found) >= held.lengths[0]


def title(tokens: Sequence[Asked], held: Held, most: int) -> float:
    """Reward a title of which the question says much."""
    found = sum(
        each.weight for at, each in enumerate(tokens[:most]) if _TITLE_PART in held.places[at]
    )
    return _TITLE * min(found / max(held.lengths[_TITLE_PART], 1), 1)


def body(tokens: Sequence[Asked], held: Held, statistics: Statistics) -> Body:
    """Score the best section and the document as a whole by BM25, each counts by half."""
    sections: dict[int, float] = {}
    whole = 0.0
    usual = statistics.words_of_section
    lengths, most = held.lengths, _SATURATION + 1
    slow_whole = _slowed(_DOCUMENT, sum(lengths[FIRST:]) / statistics.words_of_document)
    for each, places in zip(tokens, held.places, strict=True):
        total, exact, is_varied = 0.0, 0, bool(each.token.alternatives)
        for part, found in places.items():
            if part >= FIRST:
                fits = [fit for _, _, fit in found]
                count = sum(map(_counted, fits)) if is_varied else len(fits)
                exact += fits.count(1.0)
                total += count
                slow = _slowed(_SECTION, lengths[part] / usual)
                told = each.worth * (count * most / (count + slow))
                sections[part] = sections.get(part, 0.0) + told
        if total:
            told = _saturated(total, slow_whole)
            whole += each.worth * (told + _EXACT * _saturated(exact, slow_whole))
    order = sorted(sections.items(), key=lambda section: (-section[1], section[0]))
    best = order[0][1] if order else 0.0
    return Body((best + whole) / 2, tuple(order))


def _counted(fit: float) -> float:
    return 1.0 if fit >= INFLECTED else fit


def _slowed(long: float, length: float) -> float:
    return _SATURATION * (1 - long + long * length)


def _saturated(count: float, slow: float) -> float:
    return count * (_SATURATION + 1) / (count + slow)
