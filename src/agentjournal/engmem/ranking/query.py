"""What a question asks for: its words, the parts of class names, and what else may stand for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.engmem.ranking.spelling import is_restricted, runs, spell
from agentjournal.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agentjournal.engmem.ranking.spelling import Spelled

__all__ = ["Alternative", "Query", "Token", "read_query"]

WORDS = 48  # of a pasted page the first ones say what it is about


@frozen
class Alternative:
    """Keys that together stand for a token, and how far (below 1)."""

    keys: tuple[str, ...]
    credit: float


@frozen(kw_only=True)
class Token:
    """One thing looked for; `word` is the place in the question of the word it comes from.

    A part belongs to a CamelCase or hyphenated word and is looked for beside the whole.
    """

    form: str
    key: str
    word: int
    is_part: bool = False
    is_name: bool = False
    alternatives: tuple[Alternative, ...] = ()

    @property
    def is_restricted(self) -> bool:
        """Say whether only a whole word can be meant."""
        return is_restricted(self.form)


@frozen(kw_only=True)
class Query:
    """The distinct tokens in the order asked, then those of names that only add to the score."""

    tokens: tuple[Token, ...]
    words: tuple[str, ...]  # as typed, casefolded
    names: tuple[Token, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """Give every key that has to be looked up."""
        every = (*self.tokens, *self.names)
        others = (key for each in every for other in each.alternatives for key in other.keys)
        return tuple(dict.fromkeys((*(each.key for each in every), *others)))


def read_query(question: str, names: Sequence[str] = ()) -> Query:
    """Read a question; `names` are those of classes and files at hand, asked for beside it."""
    asked = _tokens(_spelled([question])[:WORDS])
    known = {token.form for token in asked}
    beside = [each for each in _tokens(_spelled(names)[:WORDS]) if each.form not in known]
    whole = dict.fromkeys(each.form for each in asked if not each.is_part)
    return Query(tokens=tuple(asked), words=tuple(whole), names=tuple(beside))


def _spelled(texts: Iterable[str]) -> list[tuple[str, Spelled]]:
    return [(run, word) for text in texts for run in runs(text) for word in spell(run)]


def _tokens(spelled: Sequence[tuple[str, Spelled]]) -> list[Token]:
    tokens: dict[str, Token] = {}
    for run, word in spelled:
        if word.form not in tokens or tokens[word.form].is_part:
            place = len({each.word for each in tokens.values()})
            tokens[word.form] = Token(
                form=word.form, key=word.key, word=place, is_name=_is_name(run)
            )
            if is_restricted(word.form):
                continue
            for form, key in word.parts:
                tokens.setdefault(form, Token(form=form, key=key, word=place, is_part=True))
    return list(tokens.values())


def _is_name(run: str) -> bool:
    """Say whether a word was typed as an identifier: `HttpServer`, `utf8`, `WAL`."""
    return len(run) > 1 and run.isalnum() and not run.isdigit() and run[1:] != run[1:].lower()
