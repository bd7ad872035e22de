"""What else may stand for a word: what a store says means the same, and what a slip of the key hides."""

from __future__ import annotations

from itertools import combinations

from agentjournal.engmem.ranking.meaning import begins
from agentjournal.engmem.ranking.query import Alternative, Query
from agentjournal.frozen import replace
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from agentjournal.engmem.ranking.query import Token

__all__ = ["edits", "widened"]


_SYNONYM = 0.7  # of what the word itself counts
_SLIP = 0.6
_ONE_EDIT = 5  # letters of a word that may hide one slip
_TWO_EDITS = 8
_ASKED = 12  # words of a question that are looked at
_ROW = 4  # words of a phrase that may mean something else
_NAME = 6  # letters of a short name
_KNOWN = 5  # documents with a short name that need not be looked for in other words
_MOST = 4  # alternatives of one token


def widened(
    query: Query,
    holding: Callable[[str], int],
    like: Callable[[str], Iterable[str]],
    synonyms: Mapping[str, tuple[str, ...]],
) -> Query:
    """Give each token its synonyms, and near keys where the store does not know its own.

    `holding(key)` is the number of documents with a key, `like(prefix)` every key that begins so.
    """
    meant = _meant(query, holding, like, synonyms)
    tokens = []
    for token in query.tokens:
        others = meant.get(token.word, ()) if not token.is_part else ()
        if not others and not token.is_part and not holding(token.key):
            others = tuple(Alternative((key,), _SLIP) for key in _near(token, like))
        tokens.append(replace(token, alternatives=others[:_MOST]))
    return replace(query, tokens=tuple(tokens))


def _meant(
    query: Query,
    holding: Callable[[str], int],
    like: Callable[[str], Iterable[str]],
    synonyms: Mapping[str, tuple[str, ...]],
) -> dict[int, tuple[Alternative, ...]]:
    """Find what words, and rows of up to four of them, stand for; each word of a row has it.

    What documents spell out is asked for where their short names alone would find too little.
    """
    words = [token for token in query.tokens if not token.is_part][:_ASKED]
    meant: dict[int, tuple[Alternative, ...]] = {}
    for start, end in combinations(range(len(words) + 1), 2):
        row = words[start:end]
        if len(row) > _ROW:
            continue
        name = "-".join(each.key for each in row)
        is_known = len(row) == 1 and (len(row[0].form) > _NAME or holding(name) >= _KNOWN)
        learned = (
            [] if is_known else [each.removeprefix(begins(name)) for each in like(begins(name))]
        )
        for other in (*synonyms.get(name, ()), *learned):
            for token in row:
                alternative = Alternative(tuple(other.split("-")), _SYNONYM)
                meant[token.word] = (*meant.get(token.word, ()), alternative)
    return meant


def _near(token: Token, like: Callable[[str], Iterable[str]]) -> list[str]:
    if len(token.form) < _ONE_EDIT or not token.form.isalpha():
        return []
    most = 1 + (len(token.form) >= _TWO_EDITS)
    near = [(edits(token.key, key, most), key) for key in like(token.key[: most + 1])]
    return [key for distance, key in sorted(near) if 0 < distance <= most]


def edits(left: str, right: str, most: int) -> int:
    """Count the letters put in, left out, changed or swapped; `most + 1` where there are more.

    >>> edits("invoicesequenz", "invoicesequenc", 2), edits("retry", "rtery", 2)
    (1, 1)
    """
    if abs(len(left) - len(right)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for at, letter in enumerate(left, 1):
        earlier, before, row = before, row, [at]
        for other_at, other in enumerate(right, 1):
            cost = min(before[other_at] + 1, row[-1] + 1, before[other_at - 1] + (letter != other))
            is_swap = at > 1 < other_at and letter == right[other_at - 2] and left[at - 2] == other
            row.append(min(cost, earlier[other_at - 2] + 1) if is_swap else cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)
