"""How far a hit may be believed: an identifier was asked for and is there, or enough words are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from agentjournal.engmem.ranking.spelling import is_restricted
from agentjournal.frozen import frozen
from agentjournal.search.question import LIGHT
from agentjournal.search.stem import stem
from agentjournal.search.words import STOP

if TYPE_CHECKING:
    from agentjournal.engmem.ranking.encoded import Encoded
    from agentjournal.engmem.ranking.found import Held
    from agentjournal.engmem.ranking.query import Query, Token
    from agentjournal.engmem.ranking.statistics import Statistics

__all__ = ["Trust", "trust"]

_UNLIKELY = 0.6  # documents that chance alone would let match as well
_TYPED = 1.0  # the fit of a word that is spelled as it was asked for
_ID, _ENTITIES = 0, 1


@frozen
class Trust:
    """Whether the very thing asked for is the document's own name, and whether it may be chance."""

    is_exact: bool
    is_weak: bool


def trust(query: Query, encoded: Encoded, held: Held, statistics: Statistics) -> Trust:
    """Judge a hit.

    It is exact where its id was asked for, or where nothing but identifiers was and one of them is
    an entity of its own; in a question that says more, an identifier only adds to the score.
    """
    whole = {token.key: at for at, token in enumerate(query.tokens) if not token.is_part}
    parts = encoded.split("\f", 3)
    entities = [_keys(each) for each in parts[2].partition(" ")[2].split("\n")]
    is_exact = _is_own_id(query, _keys(parts[1].partition(" ")[2]), held) or (
        all(token.is_name for token in query.tokens if not token.is_part)
        and any(
            len(each) == 1 and each[0] in whole and _is_own_name(query, held, whole[each[0]])
            for each in entities
        )
    )
    is_reliable = (
        is_exact
        or any(
            each and all(_is_in(held, whole.get(key), _ENTITIES) for key in each)
            for each in entities
        )
        or any(_is_found_name(token, held, at) for at, token in enumerate(query.tokens))
        or _is_beyond_chance(query, held, statistics)
    )
    return Trust(is_exact, not is_reliable)


def _is_own_id(query: Query, keys: list[str], held: Held) -> bool:
    """Say whether the whole id was asked for, or the number that it begins with."""
    asked = {token.key: at for at, token in enumerate(query.tokens) if not token.is_part}
    telling = [key for key in keys if key not in STOP] or keys
    begins = [key for key in keys[:1] if key.isdigit()]
    return any(key in asked for key in begins) or (
        bool(keys) and all(_is_in(held, asked.get(key), _ID) for key in telling)
    )


def _is_own_name(query: Query, held: Held, at: int) -> bool:
    """Say whether a word typed as an identifier is an entity, letter by letter."""
    return query.tokens[at].is_name and any(
        place.part == _ENTITIES and place.fit == _TYPED for place in held.places[at]
    )


def _is_in(held: Held, at: int | None, part: int) -> bool:
    return at is not None and any(place.part == part for place in held.places[at])


def _is_found_name(token: Token, held: Held, at: int) -> bool:
    """Say whether a whole CamelCase word, not only a part of it, was found."""
    is_camel = token.is_name and not is_restricted(token.form)
    return is_camel and any(place.fit == _TYPED for place in held.places[at])


def _is_beyond_chance(query: Query, held: Held, statistics: Statistics) -> bool:
    """Say whether all that tells something was found, or more of it than chance would bring."""
    telling = [
        at for at, token in enumerate(query.tokens) if not (token.is_part or _is_light(token))
    ]
    proofs = [query.tokens[at] for at in telling if held.places[at]]
    if len(proofs) < max(1, min(2, len(telling))):
        return False
    together = math.prod(map(statistics.likelihood, proofs))
    chance = statistics.documents * math.comb(len(telling), len(proofs)) * together
    return len(proofs) == len(telling) or chance <= _UNLIKELY


def _is_light(token: Token) -> bool:
    """Say whether a word is so short or so common that it identifies nothing."""
    is_short = is_restricted(token.form) and token.form.isascii()
    return is_short or stem(token.form) in LIGHT or token.form in STOP


def _keys(line: str) -> list[str]:
    return [each.partition("~")[0] for each in line.split() if "+" not in each]
