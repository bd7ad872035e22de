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

_SATURATION = 1.0  # k1 of BM25
_SECTION = 0.5  # b of BM25: how much a long section counts against it; a long document does not
_IN_HEADING = 0.5  # what a word counts more that stands in the heading of its section
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
    for part, usual in enumerate(_WEIGHTS):
        if part in places:
            is_id = part == 0 and (is_whole_id or each.token.form.isdigit())
            weight = _OF_ID if is_id else usual
            best = max(best, *[each.weight * fit * weight for _, _, fit in places[part]])
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
    there = zip(tokens[:most], held.places, strict=False)
    found = sum([each.weight for each, places in there if _TITLE_PART in places])
    return _TITLE * min(found / max(held.lengths[_TITLE_PART], 1), 1)


def body(tokens: Sequence[Asked], held: Held, statistics: Statistics) -> Body:
    """Score the best section and the document as a whole by BM25, each counts by half."""
    sections: dict[int, float] = {}
    whole = 0.0
    usual, headings = statistics.words_of_section, held.headings
    slow = [_SATURATION * (1 - _SECTION + _SECTION * each / usual) for each in held.lengths]
    for each, places in zip(tokens, held.places, strict=True):
        total, exact, is_varied = 0.0, 0, bool(each.token.alternatives)
        for part, found in places.items():
            if part >= FIRST:
                fits = [fit for _, _, fit in found]
                count = sum(map(_counted, fits)) if is_varied else len(fits)
                exact += fits.count(1.0)
                total += count
                told = _saturated(count, slow[part])
                if found[0][0] < headings[part]:
                    told += _IN_HEADING * found[0][2]
                sections[part] = sections.get(part, 0.0) + each.worth * told
        if total:
            whole += each.worth * (_saturated(total) + _EXACT * _saturated(exact))
    order = sorted(sections.items(), key=lambda section: (-section[1], section[0]))
    best = order[0][1] if order else 0.0
    return Body((best + whole) / 2, tuple(order))


def _counted(fit: float) -> float:
    return 1.0 if fit >= INFLECTED else fit


def _saturated(count: float, slow: float = _SATURATION) -> float:
    return count * (_SATURATION + 1) / (count + slow)
