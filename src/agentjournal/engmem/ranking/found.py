"""Where in a document the tokens of a query stand."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from agentjournal.engmem.ranking.encoded import FIELDS
from agentjournal.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.engmem.ranking.encoded import Encoded
    from agentjournal.engmem.ranking.query import Token

__all__ = ["Held", "Place", "held_by"]

INFLECTED = 0.9  # of what the form that was asked for counts


class Place(NamedTuple):
    """One occurrence: in which part, at which character, as which form, and how well it fits."""

    part: int
    at: int
    form: str
    fit: float


@frozen
class Held:
    """What a document has of each token, in the order of the tokens, and what its parts are.

    Parts are the fields, then the sections; `lengths` are their words, `locators` their names.
    """

    places: tuple[tuple[Place, ...], ...]
    lengths: tuple[int, ...]
    locators: tuple[str, ...]

    def best(self, token: int) -> dict[int, Place]:
        """Give the place of a token that fits best in each part that has it."""
        best: dict[int, Place] = {}
        for place in self.places[token]:
            if place.part not in best or place.fit > best[place.part].fit:
                best[place.part] = place
        return best


def held_by(encoded: Encoded, tokens: Sequence[Token]) -> Held:
    """Find every token in a document."""
    texts = encoded.split("\f")
    starts, at = [], len(texts[0])
    for text in texts[1:]:
        starts.append(at)
        at += len(text) + 1
    marks = [text[: text.find(" ")].partition("§") for text in texts[1:]]
    return Held(
        tuple(_places(encoded, starts, each) for each in tokens),
        tuple(int(length) for length, _, _ in marks),
        (*FIELDS, *(f"§{name}" for _, _, name in marks[len(FIELDS) :])),
    )


def _places(encoded: Encoded, starts: Sequence[int], token: Token) -> tuple[Place, ...]:
    places = _of_key(encoded, starts, token, token.key)
    for other in token.alternatives:
        first, *rest = (_of_key(encoded, starts, token, key) for key in other.keys)
        parts = [{place.part for place in found} for found in rest]
        places += [
            place._replace(fit=other.credit)
            for place in first
            if all(place.part in each for each in parts)
        ]
    return tuple(places)


def _of_key(encoded: Encoded, starts: Sequence[int], token: Token, key: str) -> list[Place]:
    """Find a key as a whole word: a blank, the key, and what ends it."""
    places = []
    needle, size, find = f" {key}", len(key) + 1, encoded.find
    at = find(needle)
    while at >= 0:
        end = at + size
        mark = encoded[end]
        if mark in " ~" or (mark == "+" and not token.is_restricted):
            form = key if mark == " " else encoded[end + 1 : find(" ", end)] or key
            fit = 1.0 if form == token.form else INFLECTED
            places.append(Place(bisect_right(starts, at) - 1, at, form, fit))
        at = find(needle, end)
    return places
