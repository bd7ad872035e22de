"""How far a hit may be believed: an identifier was asked for and is there, or enough words are."""

from __future__ import annotations

import math

from agentjournal.search.words import STOP
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.engmem.ranking.encoded import Encoded
    from agentjournal.engmem.ranking.found import Held
    from agentjournal.engmem.ranking.query import Query, Token
    from agentjournal.engmem.ranking.score import Asked

__all__ = ["is_exact", "is_weak"]

_UNLIKELY = 0.6  # documents that chance alone would let match as well
_TYPED = 1.0  # the fit of a word that is spelled as it was asked for
_ID, _ENTITIES = 0, 1


def is_exact(query: Query, encoded: Encoded, held: Held) -> bool:
    """Say whether the very thing asked for is this document.

    It is where its id was asked for, or where nothing but identifiers was and one of them is an
    entity of its own; in a question that says more, an identifier only adds to the score.
    """
    if _is_anywhere(held, _ID) and _is_own_id(query, _lines(encoded, _ID)[0], held):
        return True
    if not _is_anywhere(held, _ENTITIES):
        return False
    asked = {token.key: at for at, token in enumerate(query.tokens) if not token.is_part}
    return all(query.tokens[at].is_name for at in asked.values()) and any(
        len(each) == 1 and each[0] in asked and _is_own_name(query, held, asked[each[0]])
        for each in _lines(encoded, _ENTITIES)
    )


def is_weak(
    query: Query, tokens: Sequence[Asked], encoded: Encoded, held: Held, documents: int
) -> bool:
    """Say whether a hit that is not exact may be chance.

    It is not where all words of an entity or a whole CamelCase word were found, or more of what
    was asked than chance would bring together.
    """
    asked = {token.key: at for at, token in enumerate(query.tokens) if not token.is_part}
    return not (
        any(_is_found_name(token, held, at) for at, token in enumerate(query.tokens))
        or _is_beyond_chance(tokens[: len(query.tokens)], held, documents)
        or any(
            each and all(_is_in(held, asked.get(key), _ENTITIES) for key in each)
            for each in _lines(encoded, _ENTITIES)
        )
    )


def _lines(encoded: Encoded, part: int) -> list[list[str]]:
    """Give the keys of a field, line by line, without those of parts of words."""
    text = encoded.split("\f", _ENTITIES + 2)[part + 1].partition(" ")[2]
    return [
        [each.partition("~")[0] for each in line.split() if "+" not in each]
        for line in text.split("\n")
    ]


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
        fit == _TYPED for _, _, fit in held.places[at].get(_ENTITIES, ())
    )


def _is_anywhere(held: Held, part: int) -> bool:
    return any(part in places for places in held.places)


def _is_in(held: Held, at: int | None, part: int) -> bool:
    return at is not None and part in held.places[at]


def _is_found_name(token: Token, held: Held, at: int) -> bool:
    """Say whether a whole CamelCase word, not only a part of it, was found."""
    is_camel = token.is_name and not token.is_restricted
    return is_camel and any(
        fit == _TYPED for found in held.places[at].values() for _, _, fit in found
    )


def _is_beyond_chance(tokens: Sequence[Asked], held: Held, documents: int) -> bool:
    """Say whether all that tells something was found, or more of it than chance would bring."""
    telling = [
        at for at, each in enumerate(tokens) if not (each.token.is_part or each.token.is_light)
    ]
    proofs = [tokens[at].likelihood for at in telling if held.places[at]]
    if len(proofs) < max(1, min(2, len(telling))):
        return False
    chance = documents * math.comb(len(telling), len(proofs)) * math.prod(proofs)
    return len(proofs) == len(telling) or chance <= _UNLIKELY
