"""A question as the words that it asks for."""

from __future__ import annotations

import re
from functools import cache

from agentjournal.frozen import frozen
from agentjournal.search.stem import stem
from agentjournal.search.words import Word, read_words

__all__ = ["LIGHT", "Question", "is_identifier", "is_light", "read_question"]

SHORT = 3  # characters: `x`, `12`, `id`
STEMS = 64
WORDS = 32  # of a pasted page the first ones say what it is about

# What every question and every project says: worth little, and no proof that two texts agree.
LIGHT = frozenset(
    stem(word)
    for word in """
    add alternative api app approach attempt avoid bad best better bring build case change
    choice choose class cli code consider csv current data database db decide decision
    different do drop easy error feature file find fix function get give go good great
    handle have help html http id idea implement improve introduce issue json keep kind know
    line list look make method move name need new nice object old option page part path plan
    point possible problem program project propose put python question reason reject remove
    replace rid rule run server service set show simple simply solution sql start still stop
    suggest support switch system table take test thing think time turn type ui url user
    value way well work wrong xml yaml
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)


@frozen
class Question:
    """The distinct words of a question in the order in which they were asked."""

    words: tuple[Word, ...]

    @property
    def stems(self) -> tuple[str, ...]:
        """Give the stems under which an answer may be found, at most 64."""
        stems = dict.fromkeys(each for word in self.words for each in word.stems)
        return tuple(stems)[:STEMS]


def read_question(text: str) -> Question:
    """Read the words of a question; a word that is repeated is asked once."""
    distinct = {word.stems[0]: word for word in reversed(read_words(text))}
    return Question(tuple(reversed(distinct.values()))[:WORDS])


def is_light(word: Word) -> bool:
    """Say whether a word is so common in questions about software that it identifies nothing."""
    stems = word.stems
    return stems[0] in LIGHT or (len(stems[0]) < SHORT and stems[0].isascii())


def is_identifier(seen: str) -> bool:
    """Say whether a word was typed as a name: `HttpServer`, `utf8`, `WAL`."""
    return _name().search(seen) is not None


@cache
def _name() -> re.Pattern[str]:
    return re.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]|[A-Za-z][0-9]|[0-9][A-Za-z]|^[A-Z]{3,}$")
