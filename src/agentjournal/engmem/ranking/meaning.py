"""What documents say means the same: `entity tag (ETAG)`."""

from __future__ import annotations

import re

from agentjournal.engmem.ranking.spelling import runs, spell
from agentjournal.search.words import STOP
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["begins", "pairs_in", "phrase"]

_BRACKETS = r"\(([^()\n]{2,60})\)"  # compiled where documents are read
_NAME = r"[A-Z][A-Z0-9]{1,5}"
_BEFORE = 80  # characters looked at in front of a bracket
_LONGEST = 6  # words that a short name stands for
_MARK = "="  # begins and parts the term by which a meaning is kept among the words of a store


def phrase(text: str) -> str:
    """Give the keys of what tells something in a text, joined as one word is."""
    words = [word for run in runs(text) for word in spell(run)]
    return "-".join(word.key for word in words if word.form not in STOP)


def pairs_in(text: str) -> Iterator[str]:
    """Give a term for each pair of a short name and its words, one for either way to ask."""
    for match in re.finditer(_BRACKETS, text):
        inside, before = match[1], text[max(match.start() - _BEFORE, 0) : match.start()].split()
        if re.fullmatch(_NAME, inside):
            short, words = inside, before[-_LONGEST:]
        elif before and re.fullmatch(_NAME, before[-1]):
            short, words = before[-1], inside.split()[:_LONGEST]
        else:
            continue
        if meaning := phrase(_spelled_out(short, words)):
            yield f"{begins(phrase(short))}{meaning}"
            yield f"{begins(meaning)}{phrase(short)}"


def _spelled_out(short: str, words: list[str]) -> str:
    """Give the last words whose first letters spell the name, as `time to live` does `TTL`."""
    for start in range(len(words)):
        if words[start][:1].casefold() == short[:1].casefold() and _spells(short, words[start:]):
            return " ".join(words[start:])
    return ""


def _spells(short: str, words: list[str]) -> bool:
    """Say whether each word gives its first letter to the name, in order, and none is left over."""
    letters = iter(short.casefold())
    told = [word for word in words if word.casefold() not in STOP or len(words) == len(short)]
    return len(told) > 1 and all(word[:1].casefold() in letters for word in told)


def begins(name: str) -> str:
    """Give the beginning of the terms that say what a phrase means."""
    return f"{_MARK}{name}{_MARK}"
