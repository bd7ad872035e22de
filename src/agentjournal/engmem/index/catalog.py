"""An index while it is being brought up to date: which documents it has, and who holds an id."""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from agentjournal.engmem.document import Document
from agentjournal.engmem.index.digest import header_of, passages_of
from agentjournal.engmem.index.entry import Entry, document_entry, failed_entry
from agentjournal.engmem.index.records import record
from agentjournal.engmem.ranking.encoded import Spellings, encode, extent, terms
from agentjournal.engmem.scan import Signature
from agentjournal.engmem.store import Failure, duplicate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from agentjournal.engmem.index.postings import Found, PostingsWriter
    from agentjournal.engmem.index.records import Records
    from agentjournal.engmem.ranking.encoded import Encoded
    from agentjournal.engmem.store import FileRead

__all__ = ["Catalog"]

SPELLED = 40_000  # runs of letters whose spelling is remembered while documents are read
_NEVER = -1  # an inode that no file has: the file is read again next time
_UNSEEN = Signature(0, 0, 0, _NEVER)


@dataclass(kw_only=True)
class Catalog:
    """The entries of all files, the records of documents, and the counts that the postings lack."""

    records: Records
    entries: dict[str, Entry] = field(default_factory=dict)
    added: dict[str, Found] = field(default_factory=dict)
    dead: set[int] = field(default_factory=set)
    writer: PostingsWriter | None = None  # takes what is read, where that is much
    _spellings: Spellings = field(default_factory=Spellings)

    def __post_init__(self) -> None:
        held = self.entries.items()
        self._owners = {each.id: file for file, each in held if each.offset >= 0}

    def differing(self, files: Mapping[str, Sequence[int]]) -> tuple[list[str], list[str]]:
        """Give the files to read, and those that are gone."""
        entries = self.entries
        changed = [
            name
            for name, signature in files.items()
            if (known := entries.get(name)) is None or known[:4] != signature
        ]
        gone = [name for name in entries if name not in files]
        return changed, gone

    def forget(self, gone: Iterable[str]) -> list[str]:
        """Drop files that are no more, and give those that claimed an id which is free now."""
        freed = {entry.id for file in gone if (entry := self._drop(file)).is_document}
        return [
            file
            for file, each in self.entries.items()
            if each.kind == "duplicate" and each.id in freed
        ]

    def take(self, queue: list[str], read: Callable[[str], FileRead], racy_from: int) -> None:
        """Read the first file of a heap; what has to be read because of it is put in.

        A file that was changed at `racy_from` (nanoseconds) or later may change again within the
        same tick of its clock: it is read again next time.
        """
        file = heappop(queue)
        found = read(file)
        signature = found.signature or _UNSEEN
        if signature.changed >= racy_from:
            signature = signature._replace(inode=_NEVER)
        known = self.entries.get(file)
        if known and isinstance(found.found, Document) and _is_same(known, found.found):
            self.entries[file] = known._replace(**signature._asdict())
            return
        freed = self.forget([file]) if known else []
        match found.found:
            case Failure(_, reason):
                self.entries[file] = failed_entry(signature, reason)
            case document:
                freed += self._claim(file, signature, document)
        for each in freed:
            if each != file:
                heappush(queue, each)

    def _claim(self, file: str, signature: Signature, document: Document) -> list[str]:
        """Add a document, or note that its id is taken; give the file that it is taken from."""
        owner = self._owners.get(document.id)
        if owner is not None and owner < file:
            reason = duplicate(owner, document).reason
            self.entries[file] = failed_entry(signature, reason, document.id)
            return []
        if owner is not None:
            self._drop(owner)
        self._add(file, signature, document)
        return [owner] if owner else []

    def _add(self, file: str, signature: Signature, document: Document) -> None:
        if len(self._spellings) > SPELLED:
            self._spellings.clear()
        header, encoded = header_of(document), encode(document, self._spellings)
        place = self.records.add(record(header, encoded, passages_of(document)))
        entry = document_entry(signature, header, place, extent(encoded))
        self._owners[document.id] = file
        if self.writer:
            self.writer.add(entry.id, place, terms(encoded), is_draft=not entry.is_ranked)
            entry = entry._replace(is_posted=True)
        else:
            self._count(entry, encoded, 1)
        self.entries[file] = entry

    def _drop(self, file: str) -> Entry:
        entry = self.entries.pop(file)
        if entry.is_document:
            del self._owners[entry.id]
            self._count(entry, self.records.both(entry.place)[1], -1)
            if entry.is_posted:
                self.dead.add(entry.offset)
        return entry

    @property
    def recent(self) -> int:
        """Count the documents that the postings lack."""
        return sum([not each.is_posted and each.is_document for each in self.entries.values()])

    @property
    def is_settled(self) -> bool:
        """Say whether no file has to be read again only because it may have changed meanwhile."""
        return all(each.inode != _NEVER for each in self.entries.values())

    def post(self, writer: PostingsWriter) -> None:
        """Move to the postings what they lack."""
        for file, entry in self.entries.items():
            if entry.is_document and not entry.is_posted:
                encoded = self.records.both(entry.place)[1]
                self._count(entry, encoded, -1)
                writer.add(entry.id, entry.place, terms(encoded), is_draft=not entry.is_ranked)
                self.entries[file] = entry._replace(is_posted=True)

    def post_again(self, writer: PostingsWriter, records: Records) -> None:
        """Copy every document to a new file, and make new postings of all."""
        for file, entry in self.entries.items():
            if entry.is_document:
                place = records.add(self.records.whole(entry.place))
                encoded = records.both(place)[1]
                writer.add(entry.id, place, terms(encoded), is_draft=not entry.is_ranked)
                self.entries[file] = entry._replace(
                    offset=place.offset, length=place.length, is_posted=True
                )
        self.records = records
        self.added.clear()
        self.dead.clear()

    def _count(self, entry: Entry, encoded: Encoded, by: int) -> None:
        if not entry.is_ranked:
            return
        added = self.added
        for key, term in terms(encoded).items():
            documents, sections = added.get(key, (0, 0))
            now = (documents + by, sections + by * term.sections)
            if any(now):
                added[key] = now
            else:
                del added[key]


def _is_same(known: Entry, document: Document) -> bool:
    """Say whether only the file's times changed, and nothing is read from those."""
    was = (known.version, known.id, known.date)
    return known.is_document and was == (document.version, document.id, document.date)
