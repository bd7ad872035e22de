"""The documents that answer a question, ranked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.engmem.memory_index import fields_text
from agentjournal.search.match import Field, match
from agentjournal.search.question import is_light
from agentjournal.search.words import read_words, words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agentjournal.engmem.document import Document
    from agentjournal.engmem.memory_index import Passages
    from agentjournal.engmem.section import Section
    from agentjournal.search.match import Match
    from agentjournal.search.question import Question
    from agentjournal.search.rank import Frequencies
    from agentjournal.search.words import Known

__all__ = ["Hit", "find_documents"]

LOOKED_AT = 3  # passages of one document
SECTION = 300.0  # words of a usual section

# The spine of a document: what a word in each of its fields counts.
_WEIGHTS = (("id", 5.0), ("entities", 3.0), ("title", 2.0), ("covers_files", 2.0), ("tags", 1.0))


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A document, the section of it that answers best, and how well both together do.

    `score` orders the hits, `share` is that of the question which was found; `is_exact` says that
    an identifier or number asked for is one of its own; a hit that is not strong may be chance.
    """

    document: Document
    section: Section | None
    score: float
    words: tuple[str, ...]
    share: float
    is_exact: bool
    is_strong: bool


def find_documents(
    question: Question, documents: Iterable[Document], passages: Passages
) -> list[Hit]:
    """Rank the documents that these passages are of; drafts are never among them.

    Order: strong before weak, exact before others, then score, then the newer date, then id.
    """
    by_id = {each.id: each for each in documents if each.status != "draft"}
    places: dict[str, list[int]] = {}
    for id_, place in passages.places:
        if id_ in by_id and len(places.setdefault(id_, [])) < LOOKED_AT:
            places[id_].append(place)
    known: Known = {}
    hits = [
        _hit(question, by_id[id_], at, passages.frequencies, known) for id_, at in places.items()
    ]
    newest_first = sorted(hits, key=lambda hit: hit.document.date, reverse=True)
    return sorted(newest_first, key=lambda hit: (not hit.is_strong, not hit.is_exact, -hit.score))


def _hit(
    question: Question, document: Document, places: list[int], common: Frequencies, known: Known
) -> Hit:
    def matched(*fields: Field) -> Match:
        return match(question, fields, common, usual=SECTION, known=known)

    sections = [document.sections[place - 1] for place in places if place]
    scored = [(matched(*_fields(section)).score, section) for section in sections]
    body, section = max(scored, key=lambda each: each[0], default=(0.0, None))
    own = Field(fields_text(document), 2)
    whole = matched(own, *_fields(section)) if section else matched(own)
    return Hit(
        document=document,
        section=section,
        score=_spine(question, document) + body,
        words=whole.words,
        share=whole.share,
        is_exact=_is_exact(question, document),
        is_strong=whole.is_strong,
    )


def _fields(section: Section) -> tuple[Field, Field]:
    return Field(section.heading, 2), Field(section.text, 1)


def _spine(question: Question, document: Document) -> float:
    """Add up the best field of each word asked for, times the share of words found."""
    fields = [(set(words(_text(document, name))), weight) for name, weight in _WEIGHTS]
    found = [
        max((weight for held, weight in fields if not held.isdisjoint(word.stems)), default=0.0)
        for word in question.words
    ]
    return sum(found) * sum(map(bool, found)) / max(len(found), 1)


def _text(document: Document, name: str) -> str:
    value = getattr(document, name)
    return value if isinstance(value, str) else "\n".join(value)


def _is_exact(question: Question, document: Document) -> bool:
    """Say whether its whole id, an entity of one word, or a number of its id was asked for."""
    id_words = read_words(document.id)
    names = [read_words(each) for each in document.entities]
    own = {word.stems[0] for name in names if len(name) == 1 for word in name}
    own |= {word.stems[0] for word in id_words if word.seen.isdigit()}
    asked = {word.stems[0] for word in question.words if not is_light(word)}
    return not own.isdisjoint(asked) or {word.stems[0] for word in id_words} <= asked
