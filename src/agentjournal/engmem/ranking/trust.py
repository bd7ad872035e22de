"""How far a hit may be believed: an identifier was asked for and is there, or enough words are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from agentjournal.engmem.ranking.spelling import is_restricted
from agentjournal.search.question import LIGHT
from agentjournal.search.words import STOP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.engmem.ranking.encoded import Encoded
    from agentjournal.engmem.ranking.found import Held
    from agentjournal.engmem.ranking.query import Query, Token
    from agentjournal.engmem.ranking.statistics import Statistics

__all__ = ["is_exact", "is_weak"]

_UNLIKELY = 0.6  # documents that chance alone would let match as well


def is_exact(query: Query, encoded: Encoded, held: Held) -> bool:
    """Say whether its whole id, a number of it, or a whole entity was asked for as it is spelled."""
    return any(_names(query, encoded, held))


def is_weak(query: Query, encoded: Encoded, held: Held, statistics: Statistics) -> bool:
    """Say whether nothing that identifies was found, and no more words than chance would bring."""
    if any(_names(query, encoded, held)):
        return False
    proofs = [token for at, token in enumerate(query.tokens) if _is_proof(token, held, at)]
    asked = sum(not (token.is_part or _is_light(token)) for token in query.tokens)
    if len(proofs) < max(1, min(2, asked)):
        return True
    if len(proofs) == asked:
        return False
    together = math.prod(statistics.likelihood(token.key) for token in proofs)
    chance = statistics.documents * math.comb(asked, len(proofs)) * together
    return chance > _UNLIKELY


def _is_proof(token: Token, held: Held, at: int) -> bool:
    return not token.is_part and bool(held.places[at]) and not _is_light(token)


def _is_light(token: Token) -> bool:
    return is_restricted(token.form) or token.key in LIGHT or token.form in STOP


def _names(query: Query, encoded: Encoded, held: Held) -> Iterator[bool]:
    """Say of every way to name a document whether it was used."""
    parts = encoded.split("\f", 3)[1:3]
    whole = {token.key: at for at, token in enumerate(query.tokens) if not token.is_part}
    for at, token in enumerate(query.tokens):
        if token.is_part:
            continue
        in_id = any(place.part == 0 and place.fit == 1 for place in held.places[at])
        yield in_id and token.form.isdigit()
        yield (
            token.is_name
            and not is_restricted(token.form)
            and any(place.fit == 1 for place in held.places[at])
        )
    id_keys = _keys(parts[0].split(" ", 1)[1])
    yield bool(id_keys) and all(key in whole for key in id_keys)
    for entity in parts[1].split(" ", 1)[1].split("\n"):
        keys = _keys(entity)
        yield bool(keys) and all(
            key in whole and any(p.part == 1 and p.fit == 1 for p in held.places[whole[key]])
            for key in keys
        )


def _keys(line: str) -> list[str]:
    return [each.split("~")[0] for each in line.split() if "+" not in each]
