"""How a word of a document or a question is spelled, and under which key it is looked up."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from agentjournal.search.stem import inflected_from
from agentjournal.search.words import fold
from agentjournal.typed import NamedTuple

__all__ = ["LONGEST", "Spelled", "is_restricted", "runs", "spell"]

LONGEST = 40  # characters of a key
SHORT = 3  # characters: such a word is looked up as it stands, never as part of another
_JOINED = 3  # pieces of a hyphenated word that is also looked up as one: write-ahead-log

_INSIDE = b"-"
_BLANKED = bytes(n if chr(n).isalnum() or n in _INSIDE else ord(" ") for n in range(128)).ljust(256)
_EDGES = (b"--", b" -", b"- ")  # hyphens that stand not between two letters, in this order
_APOSTROPHES = "\u02bb\u02bc\u02bd\u02ee"  # letters by category, separators by use


class Spelled(NamedTuple):
    """A word in its normal form, the key it shares with its inflections, and its parts."""

    form: str
    key: str
    parts: tuple[tuple[str, str], ...] = ()  # form and key of each


def is_restricted(form: str) -> bool:
    """Say whether a word is so short, or a number, that only a whole word can be meant."""
    return len(form) <= SHORT or form.isdigit()


def runs(text: str) -> list[str]:
    """Cut a text into words as typed; hyphens stay inside, every other mark separates."""
    if text.isascii():
        return _ascii_runs(text)
    spaced = unicodedata.normalize("NFKC", text).translate(_Separators())
    return _any().findall(spaced)


def _ascii_runs(text: str) -> list[str]:
    """Do the same in half the time that a pattern takes: nearly every text is one of these."""
    spaced = b" %b " % text.encode().translate(_BLANKED)
    for edge in _EDGES:
        spaced = spaced.replace(edge, b"  ")
    return spaced.decode().split()


def spell(run: str) -> tuple[Spelled, ...]:
    """Read the words of one run.

    A CamelCase word has its parts, those that are restricted left out; a hyphenated one of
    letters is its pieces, and a part of the first is the whole; an unspaced script is pairs.

    >>> [word.key for word in spell("back-off")], spell("HTTPServer")[0].parts
    (['back', 'off'], (('http', 'http'), ('server', 'server')))
    """
    if not run.isascii() and _paired().search(run):
        return tuple(_unspaced(run))
    pieces = run.split("-")
    words = [_word(piece) for piece in pieces]
    if 1 < len(pieces) <= _JOINED and len(run) <= LONGEST and run.replace("-", "").isalpha():
        joined = _word(run.replace("-", "").casefold())
        words[0] = words[0]._replace(parts=(*words[0].parts, (joined.form, joined.key)))
    return tuple(words)


@cache
def _any() -> re.Pattern[str]:
    return re.compile(r"[^ -]+(?:-[^ -]+)*")


@cache
def _parts() -> re.Pattern[str]:
    return re.compile(r"U+(?=Ul)|U?l+|U+|d+")


@cache
def _paired() -> re.Pattern[str]:
    """Compile what only a text beyond ASCII asks for: the class is large."""
    return re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]{2,}")


def _word(piece: str) -> Spelled:
    form = piece.casefold()[: LONGEST * 2]
    parts = [] if form == piece else camel_parts(piece[: LONGEST * 2])
    small = [part.casefold() for part in parts] if len(parts) > 1 else []
    kept = ((part, _key(part)) for part in dict.fromkeys(small) if not is_restricted(part))
    return Spelled(form, _key(form), tuple(kept))


def camel_parts(word: str) -> list[str]:
    """Cut a word where its capitals and digits begin; a mark rides on its letter."""
    classes = "".join(map(_class, word))
    for at, each in enumerate(classes):
        if each == "m":
            classes = classes[:at] + (classes[at - 1] if at else "l") + classes[at + 1 :]
    return [word[each.start() : each.end()] for each in _parts().finditer(classes)]


def _class(character: str) -> str:
    if character.isupper() or character.istitle():
        return "U"
    if character.isalpha():
        return "l"
    return "m" if unicodedata.category(character)[0] == "M" else "d"


def _key(form: str) -> str:
    return inflected_from(fold(form)[:LONGEST]) or form


def _unspaced(run: str) -> list[Spelled]:
    stretches = _paired().findall(run)
    pairs = [each[at : at + 2] for each in stretches for at in range(len(each) - 1)]
    between = (other.strip("-") for other in _paired().sub(" ", run).split())
    others = [word for other in between if other for word in spell(other)]
    return [Spelled(pair, pair) for pair in pairs] + others


class _Separators(dict[int, int]):
    """Maps what is no letter, number or mark to a space, each code point looked up once."""

    def __missing__(self, point: int) -> int:
        character = chr(point)
        is_kept = unicodedata.category(character)[0] in "LNM" and character not in _APOSTROPHES
        self[point] = kept = point if is_kept or character == "-" else ord(" ")
        return kept
