"""Which episodes answer a question: BM25 over two keys, the neutral lines and the own words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from agentjournal.lanes.archive.index import ARCHIVE_SQL
from agentjournal.search.question import read_question
from agentjournal.search.rank import Frequencies, saturated

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agentjournal.storage.database import Reader, Row

__all__ = ["KEYS", "Found", "Key", "find", "read_episode"]

Key = Literal["neutral", "verbatim"]
KEYS: tuple[Key, ...] = get_args(Key)

_ROWS = 200  # of one word, the newest: a question costs the same in an archive of any age
_CANDIDATES = 50  # that are looked at closely


@dataclass(frozen=True)
class Found:
    """An episode that holds words of a question: which turns, what tells them, how well it fits."""

    number: int
    first_n: int
    last_n: int
    neutral: str
    score: float


@dataclass(frozen=True)
class _Word:
    """A word asked for: how much it tells, and how often each key of each episode holds it."""

    rarity: float
    weights: Mapping[int, Mapping[Key, int]]


def find(
    reader: Reader, stream: str, text: str, limit: int, keys: Sequence[Key] = KEYS
) -> tuple[list[Found], int]:
    """Give the best episodes for a question, and how many there are that hold a word of it.

    A word counts once, in the key where it weighs most: who repeats in its own words what a neutral
    line says is no better an answer.
    """
    totals = reader.rows(ARCHIVE_SQL["totals"], stream=stream)[0]
    total = int(totals["episodes"] or 0)
    usual = {key: max(int(totals[f"{key}_words"] or 0), 1) / max(total, 1) for key in keys}
    asked = [
        _word(reader, stream, word, keys, total) for word in read_question(text).stems if total
    ]
    numbers = {n for word in asked for n in word.weights}
    alike = dict.fromkeys(keys, 1.0)
    likely = _best({n: _score(asked, n, alike) for n in numbers}, _CANDIDATES)
    rows = {n: _row(reader, stream, n) for n in likely}
    scores = {n: _score(asked, n, _lengths(row, usual)) for n, row in rows.items()}
    return [_found(rows[n], scores[n]) for n in _best(scores, limit)], len(numbers)


def _word(reader: Reader, stream: str, word: str, keys: Sequence[Key], total: int) -> _Word:
    rows = reader.rows(ARCHIVE_SQL["postings"], stream=stream, word=word, limit=_ROWS)
    weights: dict[int, dict[Key, int]] = {}
    for row in rows:
        for number, posted in _posted(row):
            if held := {key: posted[key] for key in keys if posted[key]}:
                weights[number] = held
    return _Word(Frequencies(total, {word: len(weights)}).rarity(word), weights)


def _posted(row: Row) -> Iterator[tuple[int, dict[Key, int]]]:
    for posting in str(row["postings"]).split():
        place, neutral, verbatim = map(int, posting.split("."))
        yield int(row["batch"] or 0) + place, {"neutral": neutral, "verbatim": verbatim}


def _score(asked: Sequence[_Word], number: int, lengths: Mapping[Key, float]) -> float:
    return sum(
        word.rarity * max(saturated(weight, lengths[key]) for key, weight in held.items())
        for word in asked
        if (held := word.weights.get(number))
    )


def _lengths(row: Row, usual: Mapping[Key, float]) -> dict[Key, float]:
    """Say how long each key of an episode is, 1 for a usual one: in a long one a word tells less."""
    return {key: int(row[f"{key}_words"] or 0) / words for key, words in usual.items()}


def _best(scores: Mapping[int, float], limit: int) -> list[int]:
    """Give the highest, of equal ones the newest."""
    return sorted(scores, key=lambda number: (scores[number], number), reverse=True)[:limit]


def read_episode(reader: Reader, stream: str, number: int, score: float) -> Found:
    """Read one episode of the index."""
    return _found(_row(reader, stream, number), score)


def _row(reader: Reader, stream: str, number: int) -> Row:
    return reader.rows(ARCHIVE_SQL["episode"], stream=stream, number=number)[0]


def _found(row: Row, score: float) -> Found:
    return Found(
        number=int(row["number"] or 0),
        first_n=int(row["first_n"] or 0),
        last_n=int(row["last_n"] or 0),
        neutral=str(row["neutral"]),
        score=score,
    )
