"""An index while it is being brought up to date: which documents it has, and who holds an id."""

from __future__ import annotations

from heapq import heappop, heappush

from agentjournal.engmem.index.entries import Entries
from agentjournal.engmem.index.entry import failed_entry
from agentjournal.engmem.index.owners import Owners
from agentjournal.engmem.index.said import said
from agentjournal.engmem.ranking.encoded import terms
from agentjournal.engmem.scan import Signature
from agentjournal.engmem.store import duplicate
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agentjournal.engmem.index.entry import Entry
    from agentjournal.engmem.index.postings import Found, PostingsWriter
    from agentjournal.engmem.index.reading import Known, Reading
    from agentjournal.engmem.index.records import Records
    from agentjournal.engmem.ranking.encoded import Encoded

__all__ = ["Catalog"]

_NEVER = 2**64 - 1  # an inode that no file has: the file is read again next time


class Catalog:
    """The entries of all files, the records of documents, and the counts that the postings lack.

    A `writer` takes the words of what is read, where that is much.
    """

    def __init__(
        self,
        records: Records,
        entries: Entries | None = None,
        added: dict[str, Found] | None = None,
        dead: Iterable[int] = (),
    ) -> None:
        self.records = records
        self.entries = entries or Entries()
        self.added = {} if added is None else added
        self.dead = set(dead)
        self._owners = Owners(self.entries)
        self.writer: PostingsWriter | None = None

    def forget(self, gone: Iterable[str]) -> list[str]:
        """Drop files that are no more, and give those that claimed an id which is free now."""
        dropped = map(self._drop, gone)
        freed = {entry.id for entry in dropped if entry and entry.is_document}
        return [file for file, (_, id_) in self.entries.tally.failed.items() if id_ in freed]

    def known(self, file: str) -> Known:
        """Tell what is known of the document in a file, None where it holds none."""
        entry = self.entries.get(file)
        return (entry.version, entry.id, entry.date) if entry and entry.is_document else None

    def take(self, queue: list[str], read: Callable[[str, Known], Reading], racy_from: int) -> None:
        """Read the first file of a heap; what has to be read because of it is put in.

        A file that was changed at `racy_from` (nanoseconds) or later may change again within the
        same tick of its clock: it is read again next time.
        """
        file = heappop(queue)
        known = self.entries.get(file)
        found = read(file, self.known(file))
        signature = Signature(*found.signature)
        if signature.changed >= racy_from:
            signature = signature._replace(inode=_NEVER)
        if known and not found.record and not found.entry.reason:
            self.entries.put(file, known, signature.packed)
            return
        freed = self.forget([file])
        if found.record and known and known.is_document and known.id == found.entry.id:
            freed = []
            self._add(file, found, signature.packed)
        elif found.record:
            freed += self._claim(file, found, signature.packed)
        else:
            self.entries.put(file, found.entry, signature.packed)
        for each in freed:
            if each != file:
                heappush(queue, each)

    def _claim(self, file: str, found: Reading, signature: bytes) -> list[str]:
        """Add a document, or note that its id is taken; give the files that it is taken from."""
        id_ = found.entry.id
        owner = self._owners.of(id_)
        if owner is not None and owner < file:
            self.entries.put(file, failed_entry(duplicate(owner, id_, file).reason, id_), signature)
            return []
        freed = [owner, *self.forget([owner])] if owner else []
        self._add(file, found, signature)
        return freed

    def _add(self, file: str, found: Reading, signature: bytes) -> None:
        place = self.records.add(found.record)
        entry = found.entry._replace(offset=place.offset, length=place.length)
        self._owners.add(entry.id, file)
        if self.writer:
            entry = entry._replace(is_posted=True)
            self.writer.add(entry.id, place, found.said)
        else:
            self._count(entry, self.records.both(place)[1], 1)
        self.entries.put(file, entry, signature)

    def _drop(self, file: str) -> Entry | None:
        entry = self.entries.pop(file)
        if entry and entry.is_document:
            self._owners.remove(entry.id)
            if entry.is_posted:
                self.dead.add(entry.offset)
            self._count(entry, self.records.both(entry.place)[1], -1)
        return entry

    def post(self, writer: PostingsWriter) -> None:
        """Move to the postings what they lack."""
        for file in [*self.entries.tally.recent]:
            entry = self.entries.get(file)
            if entry:
                encoded = self.records.both(entry.place)[1]
                self._count(entry, encoded, -1)
                _post(writer, entry, encoded)
                self.entries.move(file, entry._replace(is_posted=True))

    def post_again(self, writer: PostingsWriter, records: Records) -> None:
        """Copy every document to a new file, and make new postings of all."""
        for file, entry in self.entries.documents():
            offset, length = records.add(self.records.whole(entry.place))
            moved = entry._replace(offset=offset, length=length, is_posted=True)
            _post(writer, moved, records.both(moved.place)[1])
            self.entries.move(file, moved)
        self.records = records
        self.added.clear()
        self.dead.clear()

    def _count(self, entry: Entry, encoded: Encoded, by: int) -> None:
        if not entry.is_ranked:
            return
        added = self.added
        for key, term in ((key, term) for term, keys in terms(encoded).items() for key in keys):
            documents, sections = added.get(key, (0, 0))
            now = (documents + by, sections + by * term.sections)
            if any(now):
                added[key] = now
            else:
                del added[key]


def _post(writer: PostingsWriter, entry: Entry, encoded: Encoded) -> None:
    writer.add(entry.id, entry.place, said(terms(encoded), is_draft=not entry.is_ranked))
