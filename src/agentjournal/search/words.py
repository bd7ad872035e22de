"""The words of a text, in the form in which questions and records meet."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from agentjournal.frozen import frozen
from agentjournal.search.stem import stem

__all__ = ["LONGEST", "STOP", "Known", "Word", "fold", "read_words", "words"]

LONGEST = 40  # characters: a longer run is a hash or a blob, and an index row must stay small

# Words that say how something is said, not what it is about.
STOP = frozenset(
    """
    a about across after again against all already also always among an and any are as at
    based be because been before being between both but by can cannot could did didn do does
    doesn doing don done each either even ever every for from had has have having he her
    here his how i if in instead into is isn it its just let like ll may me might more most
    much must my never no nor not now of on once only onto or other our out own per rather
    re s same shall she should since so some such t than that the their them then there
    these they this those though through to too tried tries try trying under until up upon
    us use used uses using ve very via want was we were what when where whether which while
    who whom whose why will with within without would yet you your
    """.split()  # noqa: SIM905 - a list of a hundred quoted words reads worse
)

_APOSTROPHES = "\u02bb\u02bc\u02bd\u02ee"  # letters by category, separators by use


@frozen
class Word:
    """One word as it was typed, and its stems: of the whole first, then of its parts."""

    seen: str
    stems: tuple[str, ...]


Known = dict[str, list[Word]]


class _Separators(dict[int, int]):
    """Maps what is no letter, number or mark to a space, each code point looked up once."""

    def __missing__(self, point: int) -> int:
        is_kept = unicodedata.category(chr(point))[0] in "LNM" and chr(point) not in _APOSTROPHES
        kept = point if is_kept or point == ord("-") else ord(" ")
        self[point] = kept
        return kept


def words(text: str, known: Known | None = None) -> tuple[str, ...]:
    """Give the stems of every word in reading order, repeats included.

    A CamelCase or hyphenated word gives itself and its parts; an unspaced script gives pairs of
    characters; accents and case are folded; words of the tiny stop list are left out. Whoever
    reads many texts passes one dict `known` to all calls: words repeat, and each is read once.

    >>> words("Retries of the HTTPServer")
    ('retry', 'httpserv', 'http', 'serv')
    """
    return tuple(each for word in read_words(text, known) for each in word.stems)


def read_words(text: str, known: Known | None = None) -> tuple[Word, ...]:
    """Give every word as typed together with its stems, in reading order, repeats included."""
    spaced = unicodedata.normalize("NFKC", text).translate(_Separators())
    known = {} if known is None else known
    found: list[Word] = []
    for run in _run().findall(spaced):
        if run not in known:
            known[run] = _words_of_run(run)
        found += known[run]
    return tuple(found)


def _words_of_run(run: str) -> list[Word]:
    if not run.isascii() and _unspaced().search(run):
        return _pairs(run)
    pieces = [_word(piece) for piece in run.split("-")]
    kept = [piece for piece in pieces if piece.stems]
    is_joined = 1 < len(pieces) <= 3 and len(run) <= LONGEST and run.replace("-", "").isalpha()  # noqa: PLR2004 - back-off, write-ahead-log
    if not (is_joined and kept):
        return kept
    stems = (stem(fold(run.replace("-", ""))), *(each for piece in kept for each in piece.stems))
    return [Word(run, tuple(dict.fromkeys(stems)))]


@cache
def _run() -> re.Pattern[str]:
    return re.compile(r"[^ \-]+(?:-[^ \-]+)*")


@cache
def _parts() -> re.Pattern[str]:
    return re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^A-Za-z0-9]+")


@cache
def _accents() -> re.Pattern[str]:
    return re.compile("[\u0300-\u036f]")


@cache
def _unspaced() -> re.Pattern[str]:
    """Compile what only a text beyond ASCII asks for: the class is large."""
    return re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]{2,}")


def _word(run: str) -> Word:
    folded = fold(run)
    if not folded or folded in STOP:
        return Word(run, ())
    parts = _parts().findall(run[: LONGEST * 2]) if run != run.lower() else []
    small = [fold(part) for part in parts] if len(parts) > 1 else []
    stems = (stem(folded[:LONGEST]), *(stem(p) for p in small if len(p) > 1 and p not in STOP))
    return Word(run, tuple(dict.fromkeys(stems)))


def _pairs(run: str) -> list[Word]:
    """Cut an unspaced script into overlapping pairs, each a word; the rest of the run has its own."""
    stretches = _unspaced().findall(run)
    pairs = [each[at : at + 2] for each in stretches for at in range(len(each) - 1)]
    others = [word for other in _unspaced().sub(" ", run).split() for word in _words_of_run(other)]
    return [Word(pair, (pair,)) for pair in pairs] + others


def fold(run: str) -> str:
    """Fold case and accents away."""
    if run.isascii():
        return run.lower()
    bare = _accents().sub("", unicodedata.normalize("NFKD", run.casefold()))
    return unicodedata.normalize("NFKC", bare).casefold()
