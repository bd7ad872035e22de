"""What a question asks for: its words, the parts of class names, and what else may stand for them."""

from __future__ import annotations

from agentjournal.engmem.ranking.spelling import is_restricted, runs, spell
from agentjournal.frozen import frozen
from agentjournal.search.question import LIGHT
from agentjournal.search.stem import stem
from agentjournal.search.words import STOP
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agentjournal.engmem.ranking.spelling import Spelled

__all__ = ["Alternative", "Query", "Token", "read_query"]

WORDS = 48  # of a pasted page the first ones say what it is about
LONGEST = 20_000  # characters that are looked at for those


@frozen
class Alternative:
    """Keys that together stand for a token, and how far (below 1)."""

    keys: tuple[str, ...]
    credit: float


@frozen(kw_only=True)
class Token:
    """One thing looked for; `word` is the place in the question of the word it comes from.

    A part belongs to a CamelCase or hyphenated word and is looked for beside the whole; a name
    was typed as an identifier: `HttpServer`, `utf8`, `WAL`; a light word is so short or so common
    that it identifies nothing.
    """

    form: str
    key: str
    word: int
    is_part: bool = False
    is_name: bool = False
    is_light: bool = False
    is_restricted: bool = False
    alternatives: tuple[Alternative, ...] = ()


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
    """Read a question; `names` are those of classes and files at hand, asked for beside it.

    Words that say how something is asked (`the`, `when`) are left out, unless there are no others.
    """
    spelled = _spelled([question[:LONGEST]])
    telling = [each for each in spelled if each[1].form not in STOP] or spelled
    asked = _tokens(telling[:WORDS])
    known = {token.form for token in asked}
    beside = [each for each in _tokens(_spelled(names)[:WORDS]) if each.form not in known]
    whole = tuple(each.form for each in asked if not each.is_part)
    return Query(tokens=tuple(asked), words=whole, names=tuple(beside))


def _spelled(texts: Iterable[str]) -> list[tuple[str, Spelled]]:
    return [(run, word) for text in texts for run in runs(text) for word in spell(run)]


def _tokens(spelled: Iterable[tuple[str, Spelled]]) -> list[Token]:
    """Make the tokens of words, each form once; a whole word goes before the same as a part."""
    tokens: dict[str, Token] = {}
    whole = {word.form: (run, word) for run, word in reversed(list(spelled))}
    for place, (form, (run, word)) in enumerate(reversed(whole.items())):
        is_short = is_restricted(form)
        tokens[form] = Token(
            form=form,
            key=word.key,
            word=place,
            is_name=_is_name(run),
            is_light=(is_short and form.isascii()) or form in STOP or stem(form) in LIGHT,
            is_restricted=is_short,
        )
        for part, key in () if is_short else word.parts:
            if part not in whole:
                tokens.setdefault(part, Token(form=part, key=key, word=place, is_part=True))
    return list(tokens.values())


def _is_name(run: str) -> bool:
    """Say whether a word was typed as an identifier: capitals inside, or letters with digits."""
    is_mixed = not run.isdigit() and any(each.isdigit() for each in run)
    return run.isalnum() and (run[1:] != run[1:].lower() or is_mixed)
