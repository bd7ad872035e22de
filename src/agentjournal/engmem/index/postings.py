"""Which documents hold a word: tantivy's inverted index, fed with our own words.

Nothing is ever deleted in it: what it holds of documents that are gone is known elsewhere, and
once that is too much it is made again.
"""

from __future__ import annotations

import contextlib

import tantivy

from agentjournal.engmem.index.said import BITS, DRAFTS, OUTSIDE, WORDS
from agentjournal.errors import DamagedError
from agentjournal.typed import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from agentjournal.engmem.index.records import Place
    from agentjournal.engmem.index.said import Said

__all__ = ["Found", "Postings", "PostingsWriter"]

HEAP = 40_000_000  # bytes: with less it writes many small files and merges them again
_RANGE = 256
_ANY = "freq"

Found = tuple[int, int]  # documents and sections that hold a word


class Postings:
    """Reads the index in a folder."""

    def __init__(self, folder: Path) -> None:
        with _guarded():
            self._index = tantivy.Index.open(str(folder))
            self._searcher = self._index.searcher()
            self._schema = self._index.schema

    def documents(self, key: str) -> int:
        """Count the documents with a word, those that are gone included."""
        return self._searcher.doc_freq(WORDS, key)

    def holding(self, key: str) -> Found:
        """Count the documents and sections with a word, those of gone documents included."""
        count, documents = self._searcher.doc_freq, self.documents(key)
        more = sum([count(name, key) << bit for bit, name in enumerate(BITS)])
        return documents, documents - count(OUTSIDE, key) + more

    def like(self, prefix: str) -> list[str]:
        """Give every word that begins so."""
        return [word for word, _ in self._searcher.terms_with_prefix(WORDS, prefix)]

    def best(
        self, keys: Iterable[str], limit: int, *, drafts: bool
    ) -> list[tuple[float, int, int]]:
        """Give score, offset and length of the documents that hold most of these words."""
        query = tantivy.Query.boolean_query(
            [(tantivy.Occur.Should, self._query(DRAFTS if drafts else WORDS, k)) for k in keys]
        )
        with _guarded():
            found = self._searcher.search(query, limit, count=False).hits
            places = self._places([address for _, address in found])
        return [(score, *place) for (score, _), place in zip(found, places, strict=True)]

    def of_id(self, id_: str) -> list[tuple[int, int]]:
        """Give offset and length of the documents that had this id."""
        with _guarded():
            found = self._searcher.search(self._query("id", id_), _RANGE, count=False).hits
            return self._places([address for _, address in found])

    def _query(self, field: str, word: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, field, word, "freq")

    def _places(self, addresses: list[tantivy.DocAddress]) -> list[tuple[int, int]]:
        if not addresses:
            return []
        read = self._searcher.fast_field_values
        rows = zip(read("offset", addresses), read("length", addresses), strict=True)
        return cast("list[tuple[int, int]]", list(rows))


class PostingsWriter:
    """Adds documents to the index in a folder; they are there once `commit` returns."""

    def __init__(self, folder: Path) -> None:
        with _guarded():
            self._index = tantivy.Index(_schema(), str(folder))
            self._writer = self._index.writer(HEAP, 1)

    def add(self, id_: str, place: Place, said: Said) -> None:
        """Add a document."""
        document = tantivy.Document()
        document.add_text("id", id_)
        document.add_unsigned("offset", place.offset)
        document.add_unsigned("length", place.length)
        for name, words in said:
            document.add_text(name, words)
        with _guarded():
            self._writer.add_document(document)

    def commit(self) -> None:
        """Make what was added readable, and wait until nothing works on the files any more."""
        with _guarded():
            self._writer.commit()
            self._writer.wait_merging_threads()


@contextlib.contextmanager
def _guarded() -> Iterator[None]:
    """Take whatever tantivy stumbles over for damage: it trusts its files, and panics."""
    try:
        yield
    except BaseException as error:
        if isinstance(error, ValueError | OSError) or type(error).__name__ == "PanicException":
            raise DamagedError(f"The postings are not what was written: {error}") from error
        raise


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("offset", fast=True)
    builder.add_unsigned_field("length", fast=True)
    for name in (WORDS, DRAFTS):
        builder.add_text_field(name, tokenizer_name="whitespace", index_option=_ANY)
    for name in (OUTSIDE, *BITS):
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="basic")
    return builder.build()
