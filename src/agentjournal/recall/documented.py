"""The claims of engmem documents: what their decision logs and lessons say."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from agentjournal.recall.claim import Candidates, Claim
from agentjournal.recall.kept import KeptClaims
from agentjournal.recall.prose import first_sentence, items, labelled
from agentjournal.search.rank import Frequencies
from agentjournal.text.bounded import clip

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from agentjournal.engmem.document import Document
    from agentjournal.engmem.header import Header, Passage
    from agentjournal.engmem.index.store_index import StoreIndex
    from agentjournal.engmem.section import Section
    from agentjournal.recall.claim import Verdict

__all__ = ["DOCUMENTS", "DocumentedClaims", "claims_of", "documented_claims"]

DOCUMENTS = "documents"
MOST = 40  # claims of one section
ALL = 100  # documents of a store that is small enough to look at every claim
LOOKED = 40  # documents of a larger one
_WHAT = 400  # bytes
_WHY = 1_000

_VERDICTS: Mapping[str, Verdict] = {"decisions": "decided", "lessons": "lesson"}
_BEGINS = {"decision", "decided", "choice", "tried", "lesson", "trap", "problem", "symptom"}
_REASONS = {"reason", "why", "because", "rationale", "failed because", "cause", "root cause"}
_REMEDIES = {"fixed by", "fix", "solution"}
_REJECTIONS = {
    f"{first}{second}"
    for first in ("rejected", "rejected alternative", "alternative")
    for second in ("", "s")
}
_BESIDE = {"source", "sources", "file", "files", "date", "status", "impact"}

# Labels that begin in the middle of a line, and those that are written without a colon.
_INLINE = re.compile(
    r"(?<=[.;!?]) (?=(?:Decision|Reason|Rejected alternative|Rejected|Source|Failed because|"
    r"Fixed by|Files)\b)"
)
_BARE = re.compile(r"(Failed because|Fixed by|Tried) +(?=[^: ])")
_CLAUSE = re.compile(
    r"\b(?:rejected|ruled out|discarded|abandoned) (.{3,160}?)"
    r"(?:,? because |,? since |,? as | \u2014 |[;:] )(.{3,400})",
    re.IGNORECASE,
)
_AT_ONCE = len("We have then ")
_NOTHING = re.compile(r"(?:not stated|none\b|n/?a\b|nothing\b)", re.IGNORECASE)


@dataclass(frozen=True)
class _Told:
    """One thing that a section says, before it has its evidence."""

    verdict: Verdict
    what: str
    why: str = ""


class DocumentedClaims:
    """A source over the decisions and lessons of a store's active documents, by its index.

    Only the sections of documents that may answer are read; in a large store it is their number
    that is given as the number of claims.
    """

    name = DOCUMENTS

    def __init__(self, index: StoreIndex) -> None:
        self._index = index

    def claims(self, stems: Sequence[str], limit: int) -> Candidates:
        """Give the claims with the highest scores for these stems."""
        if self._index.counts.total <= ALL:
            return self._all.claims(stems, limit)
        found = self._of(self._index.holders(stems, LOOKED)).claims(stems, limit)
        holding = {each: self._index.holding(each)[0] for each in stems}
        return Candidates(found.claims, Frequencies(self._index.counts.active, holding))

    @cached_property
    def _all(self) -> KeptClaims:
        return self._of(self._index.headers())

    def _of(self, headers: Iterable[Header]) -> KeptClaims:
        told = (claims_in(each, self._index.passages(each.id)) for each in headers)
        return KeptClaims(DOCUMENTS, [claim for claims in told for claim in claims])


def documented_claims(documents: Iterable[Document]) -> KeptClaims:
    """Give a source over the decisions and lessons of active documents."""
    return KeptClaims(DOCUMENTS, [claim for each in documents for claim in claims_of(each)])


def claims_of(document: Document) -> list[Claim]:
    """Read the claims of a document; a draft or superseded one has none."""
    return claims_in(document, document.sections)


def claims_in(
    document: Document | Header, sections: Sequence[Section] | Sequence[Passage]
) -> list[Claim]:
    """Read the claims of a document in these sections of it."""
    if document.status != "active":
        return []
    return [
        Claim(
            id=f"{document.id} {section.locator}#{number}",
            what=clip(told.what, _WHAT),
            verdict=told.verdict,
            why=clip(told.why, _WHY),
            scope=document.id,
            evidence=f"{section.locator} ({document.date})" if document.date else section.locator,
            source="engmem",
            standing="in force",
        )
        for section in sections
        for number, told in enumerate(_told(section)[:MOST], start=1)
    ]


def _told(section: Section | Passage) -> list[_Told]:
    """Read a section line by line; what a label says belongs to the thing begun last."""
    verdict = _VERDICTS.get(section.role or "")
    told: list[_Told] = []
    if verdict is None:
        return told
    for label, text in _parts(section.text):
        if _NOTHING.match(text) or label in _BESIDE:
            continue
        if label in _REJECTIONS:
            told.append(_rejected(text, [each for each in told if each.verdict != "rejected"]))
        elif label in _REASONS | _REMEDIES and told:
            told[-1] = _explained(told[-1], label, text)
        elif label in _BEGINS:
            told.append(_Told(verdict, text))
        else:
            told += _free(verdict, f"{label.capitalize()}: {text}" if label else text)
    return [each for each in told if each.what]


def _parts(text: str) -> Iterator[tuple[str, str]]:
    for item in items(text):
        for part in _INLINE.split(item.text):
            yield labelled(_BARE.sub(r"\1: ", part, count=1))


def _explained(told: _Told, label: str, text: str) -> _Told:
    said = f"{label.capitalize()}: {text}" if label in _REMEDIES else text
    return replace(told, why=f"{told.why} {said}".strip())


def _rejected(text: str, decided: Sequence[_Told]) -> _Told:
    """Read an alternative; one without a reason of its own has that of the decision before."""
    what, why = first_sentence(text)
    if not why and decided:
        why = f"{decided[-1].why} (decided instead: {decided[-1].what})".strip()
    return _Told("rejected", what, why)


def _free(verdict: Verdict, text: str) -> list[_Told]:
    """Read a sentence without a label; one that is all about what was rejected says that only."""
    clauses = list(_CLAUSE.finditer(text))
    rejected = [_Told("rejected", match[1], match[2]) for match in clauses]
    if clauses and clauses[0].start() <= _AT_ONCE:
        return rejected
    return [_Told(verdict, *first_sentence(text)), *rejected]
