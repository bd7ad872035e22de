"""Which passages of which documents hold the words of a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from agentjournal.search.rank import Frequencies
from agentjournal.search.words import words
from agentjournal.storage.sqlite import Sqlite
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agentjournal.engmem.document import Document
    from agentjournal.search.words import Known

__all__ = ["Index", "MemoryIndex", "Passages", "fields_text"]

SQL = load_statements("agentjournal.engmem", "sql/passage.sql")


@dataclass(frozen=True)
class Passages:
    """The places (document id, section's place; 0 for its fields) that may answer, best first."""

    places: tuple[tuple[str, int], ...]
    frequencies: Frequencies


class Index(Protocol):
    """Finds passages; a persistent index takes this place later."""

    def passages(self, stems: Sequence[str], limit: int) -> Passages:
        """Give at most `limit` passages that hold any of these stems, and how common those are."""
        ...


class MemoryIndex:
    """An index in memory, made from all documents each time: for stores of some hundred."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self._database = Sqlite(":memory:")
        with self._database.transaction() as tx:
            tx.run(SQL["create"])
            tx.many(SQL["add"], _rows(documents))

    def passages(self, stems: Sequence[str], limit: int) -> Passages:
        """Give the passages that hold any of these stems."""
        if not stems:
            return Passages((), Frequencies(0, {}))
        with self._database.snapshot() as reader:
            total = reader.rows(SQL["total"])[0]["held"]
            holding = {
                each: int(reader.rows(SQL["holding"], query=_quoted(each))[0]["held"] or 0)
                for each in stems
            }
            query = " OR ".join(_quoted(each) for each in stems)
            rows = reader.rows(SQL["best"], query=query, bound=limit)
        places = tuple((str(row["document"]), int(row["place"] or 0)) for row in rows)
        return Passages(places, Frequencies(int(total or 0), holding))


def fields_text(document: Document) -> str:
    """Give the fields by which a document is found, as one text."""
    named = (*document.entities, *document.tags, *document.covers_files)
    return "\n".join([document.id, document.title, *named])


def _rows(documents: Iterable[Document]) -> Iterator[dict[str, str | int]]:
    known: Known = {}
    for document in documents:
        texts = [fields_text(document)]
        texts += [f"{section.heading}\n{section.text}" for section in document.sections]
        for place, text in enumerate(texts):
            yield {"words": " ".join(words(text, known)), "document": document.id, "place": place}


def _quoted(word: str) -> str:
    """Write a stem as one string of the query language, never as its syntax."""
    return '"' + word.replace('"', "") + '"'
