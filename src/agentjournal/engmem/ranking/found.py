"""Where in a document the tokens of a query stand."""

from __future__ import annotations

from bisect import bisect_right

from agentjournal.engmem.ranking.encoded import FIELDS
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.engmem.ranking.encoded import Encoded
    from agentjournal.engmem.ranking.query import Token

    Place = tuple[int, str, float]  # at which character, as which form, and how well it fits
    Places = dict[int, list[Place]]  # by part

__all__ = ["Held", "held_by"]

INFLECTED = 0.9  # of what the form that was asked for counts


class Held:
    """What a document has of each token, in the order of the tokens, and what its parts are.

    Parts are the fields, then the sections; `places` are those of a token by part, `lengths` the
    words of the parts, `headings` where the first lines of the parts end. Places are plain tuples,
    and names are read when asked for: a search makes thousands of these.
    """

    __slots__ = ("_marks", "headings", "lengths", "places")

    def __init__(
        self, places: Sequence[Places], marks: Sequence[str], headings: Sequence[int]
    ) -> None:
        self.places = places
        self.lengths = [int(each.partition("§")[0]) for each in marks]
        self.headings = headings
        self._marks = marks

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Held):
            return NotImplemented
        return (self.places, self._marks) == (other.places, other._marks)

    def __hash__(self) -> int:
        return hash(tuple(self._marks))

    def locator(self, part: int) -> str:
        """Give the name of a field, or of a section as it is cited."""
        return FIELDS[part] if part < len(FIELDS) else f"§{self._marks[part].partition('§')[2]}"


def held_by(encoded: Encoded, tokens: Sequence[Token]) -> Held:
    """Find every token in a document."""
    starts, find = [], encoded.find
    at = find("\f")
    while at >= 0:
        starts.append(at)
        at = find("\f", at + 1)
    marks = [encoded[at + 1 : find(" ", at)] for at in starts]
    headings = [find("\n", at) for at in starts]
    starts.append(len(encoded))
    return Held([_places(encoded, starts, each) for each in tokens], marks, headings)


def _places(encoded: Encoded, starts: Sequence[int], token: Token) -> Places:
    places = _of_key(encoded, starts, token, token.key)
    for other in token.alternatives:
        first, *rest = (_of_key(encoded, starts, token, key) for key in other.keys)
        for part, found in first.items():
            if all(part in each for each in rest):
                credited = ((at, form, other.credit) for at, form, _ in found)
                places.setdefault(part, []).extend(credited)
    return places


def _of_key(encoded: Encoded, starts: Sequence[int], token: Token, key: str) -> Places:
    """Find a key as a whole word: a blank, the key, and what ends it."""
    places: Places = {}
    needle, size, find = f" {key}", len(key) + 1, encoded.find
    asked, marks = token.form, " ~" if token.is_restricted else " ~+"
    plain = 1.0 if key == asked else INFLECTED
    end_of_part = -1
    here: list[Place] = []
    at = find(needle)
    while at >= 0:
        end = at + size
        mark = encoded[end]
        if mark in marks:
            if at >= end_of_part:
                part = bisect_right(starts, at)
                end_of_part, here = starts[part], []
                places[part - 1] = here
            if mark == " ":
                here.append((at, key, plain))
            else:
                form = encoded[end + 1 : find(" ", end)] or key
                here.append((at, form, 1.0 if form == asked else INFLECTED))
        at = find(needle, end)
    return places
