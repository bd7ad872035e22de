"""How well a text answers a question: which of the words asked for it has, and what they prove."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.search.question import is_identifier, is_light
from agentjournal.search.rank import saturated
from agentjournal.search.words import read_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agentjournal.search.question import Question
    from agentjournal.search.rank import Frequencies
    from agentjournal.search.words import Known, Word

__all__ = ["Field", "Match", "match"]

USUAL = 70.0  # words of a claim, those of its first text counted twice

_PART = 0.6  # of a CamelCase or hyphenated word only parts were found
_BEGINNING = 0.4  # one word begins the other: auth, authentication
_SHORTEST = 4  # letters of such a beginning
_LIGHT = 0.5
_ENOUGH = 0.25  # share of what was asked that a strong match covers
_NAMED = 0.3  # likelihood of a name beside that of a plain word which is as rare
_UNLIKELY = 0.6  # items that chance alone would let match as well


@dataclass(frozen=True)
class Field:
    """One text of an item, and how much a word in it counts."""

    text: str
    weight: float


@dataclass(frozen=True, kw_only=True)
class Match:
    """What an item has of a question.

    `share` is 0 to 1, words weighed by their rarity; `words` names what was found, as
    `asked~found` where they were typed differently; a match that is not strong may be chance.
    """

    score: float
    share: float
    words: tuple[str, ...]
    is_strong: bool


@dataclass(frozen=True)
class _Found:
    seen: str
    weight: float


@dataclass(frozen=True)
class _Hit:
    asked: Word
    found: _Found
    credit: float
    worth: float

    @property
    def is_proof(self) -> bool:
        return self.credit == 1 and not is_light(self.asked)

    @property
    def is_name(self) -> bool:
        return is_identifier(self.asked.seen) or is_identifier(self.found.seen)

    def __str__(self) -> str:
        asked, found = self.asked.seen.casefold(), self.found.seen.casefold()
        return asked if asked == found else f"{asked}~{found}"


def match(
    question: Question,
    fields: Sequence[Field],
    frequencies: Frequencies,
    *,
    usual: float = USUAL,
    known: Known | None = None,
) -> Match:
    """Match an item's texts against a question.

    `usual` is the weighed length of such items, `known` as for `read_words`.
    """
    held, length = _held(fields, known)
    hits = [hit for word in question.words if (hit := _hit(word, held, frequencies))]
    asked = sum(_worth(word, frequencies) for word in question.words)
    share = sum(hit.worth * hit.credit for hit in hits) / asked if asked else 0.0
    told = sum(hit.worth * hit.credit * saturated(hit.found.weight, length / usual) for hit in hits)
    return Match(
        score=told * (1 + share) / 2,
        share=share,
        words=tuple(map(str, hits)),
        is_strong=_is_strong(question, [hit for hit in hits if hit.is_proof], share, frequencies),
    )


def _held(fields: Sequence[Field], known: Known | None) -> tuple[dict[str, _Found], float]:
    held: dict[str, _Found] = {}
    length = 0.0
    for field in fields:
        for word in read_words(field.text, known):
            length += field.weight
            for each in word.stems:
                before = held.get(each, _Found(word.seen, 0))
                held[each] = _Found(before.seen, before.weight + field.weight)
    return held, length


def _hit(asked: Word, held: Mapping[str, _Found], frequencies: Frequencies) -> _Hit | None:
    whole, *parts = asked.stems
    worth = _worth(asked, frequencies)
    if whole in held:
        return _Hit(asked, held[whole], 1, worth)
    there = [held[part] for part in parts if part in held]
    if there:
        return _Hit(asked, there[0], _PART * len(there) / len(parts), worth)
    beginning = whole[:_SHORTEST]
    alike = (each for each in held if each.startswith(beginning) and len(each) >= _SHORTEST)
    for each in alike if len(whole) >= _SHORTEST else ():
        if each.startswith(whole) or whole.startswith(each):
            return _Hit(asked, held[each], _BEGINNING, worth)
    return None


def _worth(word: Word, frequencies: Frequencies) -> float:
    return frequencies.rarity(word.stems[0]) * (_LIGHT if is_light(word) else 1)


def _is_strong(
    question: Question, proofs: Sequence[_Hit], share: float, frequencies: Frequencies
) -> bool:
    """Say whether all that was asked is there, or more of it than chance would bring together."""
    asked = sum(not is_light(word) for word in question.words)
    if proofs and len(proofs) == asked:
        return True
    is_to_the_point = len(proofs) >= min(asked, 2) and share >= _ENOUGH
    if not proofs or not (is_to_the_point or any(hit.is_name for hit in proofs)):
        return False
    together = math.prod(
        frequencies.likelihood(hit.asked.stems[0]) * (_NAMED if hit.is_name else 1)
        for hit in proofs
    )
    by_chance = frequencies.total * math.comb(asked, len(proofs)) * together
    return by_chance <= _UNLIKELY
