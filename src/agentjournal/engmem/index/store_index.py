"""Searching the documents of a store without reading them."""

from __future__ import annotations

from functools import cached_property

from agentjournal.engmem.index.records import Place
from agentjournal.engmem.ranking.query import read_query
from agentjournal.engmem.ranking.rank import rank
from agentjournal.engmem.ranking.statistics import Statistics
from agentjournal.engmem.ranking.widen import widened
from agentjournal.frozen import frozen
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Protocol

    from agentjournal.engmem.header import Header, Passage
    from agentjournal.engmem.index.catalog import Catalog
    from agentjournal.engmem.index.counts import Counts
    from agentjournal.engmem.index.head import Head
    from agentjournal.engmem.index.postings import Found, Postings
    from agentjournal.engmem.index.records import Records
    from agentjournal.engmem.ranking.encoded import Encoded
    from agentjournal.engmem.ranking.query import Query
    from agentjournal.engmem.ranking.rank import Hit
    from agentjournal.engmem.scan import Failure

    class Admits(Protocol):
        """What narrows a search: a scope, tags, a day."""

        def admits(self, header: Header) -> bool:
            """Say whether the document may be found."""
            ...


__all__ = ["Held", "StoreIndex"]

SURE = 24  # documents that are given
CANDIDATES = 64  # that the ranking looks at: of the postings' best
LEAST = 12  # whatever their score; of the others those
SHARE = 0.35  # that have so much of the best one's
DRAFTS = 8  # looked at: they are only named
_WIDER = 4  # times as many, where too few of those may be found


@frozen(kw_only=True)
class Held:
    """What an index reads from.

    `added` gives what the postings lack: of each word the documents and sections that hold it,
    below zero where documents are gone. `files` gives the places of all documents by file name.
    `looked` is what the store looked like, empty where it has to be looked at again; an index
    that could not be kept has its `catalog` in memory.
    """

    records: Records
    postings: Postings | None
    added: Callable[[], Mapping[str, Found]]
    files: Callable[[], Mapping[str, Place]]
    looked: bytes = b""
    catalog: Catalog | None = None


class StoreIndex:
    """The documents of one store as they were when it was opened."""

    def __init__(self, head: Head, held: Held) -> None:
        self.head = head
        self.held = held
        self._records, self._postings = held.records, held.postings

    @property
    def counts(self) -> Counts:
        """Count the documents."""
        return self.head.counts

    @property
    def failures(self) -> tuple[Failure, ...]:
        """Give the files that are no documents, by name, and why."""
        return self.head.failures

    @property
    def degraded(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Give the files of which stated values were lost, by name, and which."""
        return self.head.degraded

    @property
    def strays(self) -> tuple[str, ...]:
        """Give the Markdown files that no search looks at."""
        return self.head.seen.strays

    @property
    def stray_error(self) -> str | None:
        """Say why stray files could not be looked for."""
        return self.head.seen.stray_error

    @property
    def synonyms_error(self) -> str | None:
        """Say why the store's own list of synonyms is not used."""
        return self.head.seen.synonyms_error

    @property
    def scan_error(self) -> str | None:
        """Say why the folder could not be listed: then nobody knows what it holds."""
        return self.head.seen.scan_error

    def header(self, id_: str) -> Header | None:
        """Give what is known of a document of any status."""
        place = self._place(id_)
        return self._records.header(place) if place else None

    def passages(self, id_: str) -> tuple[Passage, ...]:
        """Give the sections of a document; none where there is no such document."""
        place = self._place(id_)
        return self._records.passages(place) if place else ()

    def headers(self) -> Iterator[Header]:
        """Give every document, by file name."""
        return (self._records.header(place) for place in self.held.files().values())

    def drafts(self) -> Iterator[Header]:
        """Give the drafts, by file name."""
        if self.counts.drafts:
            yield from (each for each in self.headers() if each.status == "draft")

    def holders(self, keys: Sequence[str], limit: int) -> list[Header]:
        """Give active and superseded documents that hold most of these words, and recent ones."""
        recent = [Place(*each[:2]) for each in self.head.recent if not each[3]]
        if self._postings and keys:
            found = self._postings.best(keys, limit + len(self._dead), drafts=False)
            recent += [Place(*place) for _, *place in found if place[0] not in self._dead][:limit]
        return [self._records.header(place) for place in recent]

    def search(
        self, question: str, *, scope: Admits | None = None, names: Sequence[str] = ()
    ) -> list[Hit]:
        """Rank the active and superseded documents that answer best, at most 24.

        `names` of classes and files at hand add to a score and never have to match.
        """
        return self._ranked(question, names, scope, drafts=False)

    def search_drafts(
        self, question: str, *, scope: Admits | None = None, names: Sequence[str] = ()
    ) -> list[Hit]:
        """Rank the drafts that would answer, were they published."""
        if not self.counts.drafts:
            return []
        return self._ranked(question, names, scope, drafts=True)

    def documents(self, key: str) -> int:
        """Count the documents that hold a word."""
        more = self._postings.documents(key) if self._postings else 0
        return self._added.get(key, (0, 0))[0] + more

    def holding(self, key: str) -> Found:
        """Count the documents and sections that hold a word."""
        documents, sections = self._added.get(key, (0, 0))
        if self._postings:
            more = self._postings.holding(key)
            documents, sections = documents + more[0], sections + more[1]
        return documents, sections

    def _ranked(
        self, question: str, names: Sequence[str], scope: Admits | None, *, drafts: bool
    ) -> list[Hit]:
        query = widened(
            read_query(question, names),
            self.documents,
            self._like,
            self.head.seen.synonyms,
        )
        holding = {key: self.holding(key) for key in query.keys}
        statistics = Statistics(
            documents=self.head.documents,
            sections=self.head.sections,
            words=self.head.words,
            holding=holding,
        )
        return rank(query, self._candidates(query, scope, drafts=drafts), statistics)[:SURE]

    def _candidates(
        self, query: Query, scope: Admits | None, *, drafts: bool
    ) -> Iterator[tuple[Header, Encoded]]:
        """Give what is not in the postings, and the best of what is, as far as it may be found."""
        for offset, length, _, is_draft in self.head.recent:
            if is_draft == drafts:
                both = self._records.both(Place(offset, length))
                if scope is None or scope.admits(both[0]):
                    yield both
        if self._postings is None or not query.keys:
            return
        places = self._best(self._postings, query, scope, drafts=drafts)
        yield from map(self._records.both, places)

    def _best(
        self, postings: Postings, query: Query, scope: Admits | None, *, drafts: bool
    ) -> list[Place]:
        most, limit = DRAFTS if drafts else CANDIDATES, CANDIDATES + len(self._dead)
        while True:
            found = postings.best(query.keys, limit, drafts=drafts)
            best = [(score, Place(*place)) for score, *place in found if place[0] not in self._dead]
            if scope:
                best = [each for each in best if scope.admits(self._records.header(each[1]))]
            floor = SHARE * best[0][0] if best else 0.0
            close = [place for score, place in best[LEAST:most] if score >= floor]
            are_all = len(best) >= most or len(found) < limit
            if are_all or len(close) < len(best) - LEAST:  # others are no closer
                return [place for _, place in best[: min(LEAST, most)]] + close
            limit *= _WIDER

    def _like(self, prefix: str) -> list[str]:
        near = {key for key in self._added if key.startswith(prefix)}
        if self._postings:
            near.update(self._postings.like(prefix))
        return sorted(key for key in near if self.documents(key))

    def _place(self, id_: str) -> Place | None:
        if id_ in self._recent:
            return self._recent[id_]
        found = self._postings.of_id(id_) if self._postings else []
        return next((Place(*each) for each in found if each[0] not in self._dead), None)

    @cached_property
    def _added(self) -> Mapping[str, Found]:
        return self.held.added()

    @cached_property
    def _dead(self) -> frozenset[int]:
        return frozenset(self.head.dead)

    @cached_property
    def _recent(self) -> dict[str, Place]:
        return {id_: Place(offset, length) for offset, length, id_, _ in self.head.recent}
