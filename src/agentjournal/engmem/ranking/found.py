"""Where in a document the tokens of a query stand."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from agentjournal.engmem.ranking.encoded import FIELDS
from agentjournal.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agentjournal.engmem.ranking.encoded import Encoded
    from agentjournal.engmem.ranking.query import Token

__all__ = ["Held", "Place", "held_by"]

_INFLECTED = 0.9  # of what the form that was asked for counts


class Place(NamedTuple):
    """One occurrence: in which part, at which character, as which form, and how well it fits."""

    part: int
    at: int
    form: str
    fit: float


@frozen
class Held:
    """What a document has of each token, in the order of the tokens, and how long its parts are."""

    places: tuple[tuple[Place, ...], ...]
    lengths: tuple[int, ...]
    locators: tuple[str, ...]

    def fields_of(self, token: int) -> dict[int, Place]:
        """Give the best place of a token in each field that has it."""
        best: dict[int, Place] = {}
        for place in self.places[token]:
            if place.part < len(FIELDS) and place.fit > best.get(place.part, _NONE).fit:
                best[place.part] = place
        return best


_NONE = Place(0, 0, "", 0.0)


def held_by(encoded: Encoded, tokens: Sequence[Token]) -> Held:
    """Find every token in a document."""
    starts, lengths, locators = [], [], []
    at = encoded.find("\f")
    while at >= 0:
        starts.append(at)
        length, mark, name = encoded[at + 1 : encoded.find(" ", at)].partition("§")
        lengths.append(int(length))
        locators.append(mark + name)
        at = encoded.find("\f", at + 1)
    places = tuple(tuple(_places(encoded, starts, each)) for each in tokens)
    return Held(places, tuple(lengths), tuple(locators))


def _places(encoded: Encoded, starts: Sequence[int], token: Token) -> Iterator[Place]:
    yield from _of_key(encoded, starts, token, token.key, 1.0)
    for other in token.alternatives:
        if len(other.keys) == 1:
            yield from _of_key(encoded, starts, token, other.keys[0], other.credit)


def _of_key(
    encoded: Encoded, starts: Sequence[int], token: Token, key: str, credit: float
) -> Iterator[Place]:
    needle, size = f" {key}", len(key) + 1
    at = encoded.find(needle)
    while at >= 0:
        end = at + size
        mark = encoded[end]
        if mark in {" ", "~"} or (mark == "+" and not token.is_restricted):
            form = key if mark == " " else encoded[end + 1 : encoded.find(" ", end)] or key
            fit = credit if form == token.form or credit < 1 else _INFLECTED
            yield Place(bisect_right(starts, at) - 1, at, form, fit)
        at = encoded.find(needle, end)
