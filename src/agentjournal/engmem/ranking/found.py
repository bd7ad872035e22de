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
    starts, lengths, locators = [], [], []
    at = encoded.find("\f")
    while at >= 0:
        starts.append(at)
        length, mark, name = encoded[at + 1 : encoded.find(" ", at)].partition("§")
        lengths.append(int(length))
        locators.append(mark + name)
        at = encoded.find("\f", at + 1)
    places = tuple(tuple(_places(encoded, starts, each)) for each in tokens)
    return Held(places, tuple(lengths), (*FIELDS, *locators[len(FIELDS) :]))


def _places(encoded: Encoded, starts: Sequence[int], token: Token) -> Iterator[Place]:
    yield from _of_key(encoded, starts, token, token.key)
    for other in token.alternatives:
        first, *rest = (list(_of_key(encoded, starts, token, key)) for key in other.keys)
        for place in first:
            if all(any(each.part == place.part for each in found) for found in rest):
                yield place._replace(fit=other.credit)


def _of_key(encoded: Encoded, starts: Sequence[int], token: Token, key: str) -> Iterator[Place]:
    needle, size, is_whole = f" {key}", len(key) + 1, token.is_restricted
    at = encoded.find(needle)
    while at >= 0:
        end = at + size
        mark = encoded[end]
        if mark in {" ", "~"} or (mark == "+" and not is_whole):
            form = key if mark == " " else encoded[end + 1 : encoded.find(" ", end)] or key
            fit = 1.0 if form == token.form else INFLECTED
            yield Place(bisect_right(starts, at) - 1, at, form, fit)
        at = encoded.find(needle, end)
