"""Bringing the index of a store up to date: only files that changed are read."""

from __future__ import annotations

import os
from functools import cached_property
from heapq import heapify

from agentjournal.engmem.front_matter import BYTES, Refusal
from agentjournal.engmem.index.catalog import Catalog
from agentjournal.engmem.index.descriptor import Descriptor
from agentjournal.engmem.index.head import Files, Seen, head_of
from agentjournal.engmem.index.looked import SYNONYMS
from agentjournal.engmem.index.postings import Postings
from agentjournal.engmem.index.readers import Readers
from agentjournal.engmem.index.records import Records
from agentjournal.engmem.index.shelf import (
    LOOKED,
    opened,
    shelf_of,
)
from agentjournal.engmem.index.store_index import Held, StoreIndex
from agentjournal.engmem.index.work import RECENT, Work, clear, loaded_catalog
from agentjournal.engmem.scan import scan, sorted_scan
from agentjournal.engmem.synonyms import read_synonyms
from agentjournal.errors import AgentJournalError, DamagedError, StoreError
from agentjournal.frozen import frozen
from agentjournal.system.files import private_folder, read_inside, store_error
from agentjournal.system.lock import ProcessLock
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from agentjournal.engmem.index.head import Head
    from agentjournal.engmem.index.looked import Looked
    from agentjournal.engmem.index.parts import Parts
    from agentjournal.engmem.index.shelf import Shelf

__all__ = ["Listener", "refreshed", "unlisted"]

CHUNK = 2_500  # documents after which what was read so far is kept, and memory given back
WAIT = 120.0  # seconds for whoever is at it now
TICK = 50_000_000  # nanoseconds: the coarsest clock of a file system


@frozen
class Listener:
    """Is told how many files of how many were read, and what the user should know."""

    progress: Callable[[int, int], None] = lambda done, total: None  # noqa: ARG005 - says nothing
    note: Callable[[str], None] = lambda text: None  # noqa: ARG005 - says nothing


def refreshed(
    looked: Looked,
    cache_dir: Path,
    *,
    now: int,
    before: StoreIndex | None = None,
    listener: Listener | None = None,
) -> StoreIndex:
    """Open the index of a store for what it looked like, made or brought up to date first.

    `now` is in nanoseconds since 1970. Where the index cannot be written it is held in memory,
    which the listener is told; `before` is the index that this process used until now.
    """
    told = listener or Listener()
    refresh = _Refresh(looked, shelf_of(looked.root, cache_dir), now - TICK, told.progress)
    try:
        private_folder(refresh.shelf.folder)
        with ProcessLock(refresh.shelf.folder / "lock").hold(WAIT):
            return refresh.on_disk()
    except OSError as error:
        told.note(_NOTE.format(store_error(error, refresh.shelf.folder).message))
    except StoreError as error:
        told.note(_NOTE.format(error.message))
    return refresh.in_memory(before)


def unlisted(root: Path) -> StoreIndex:
    """Give the index of a store whose documents cannot be listed: it only says so.

    Raises:
        NotFoundError: there is no folder `sessions`.
    """
    error = scan(root).error or "The store changed while it was looked at: ask again."
    seen = Seen(scan_error=error, failures=(("sessions", error),))
    return _held(Catalog(records=Records()), seen, None)


_NOTE = "The index of the documents is not kept, so every search takes longer: {}"


@frozen
class _Refresh:
    looked: Looked
    shelf: Shelf
    racy_from: int
    progress: Callable[[int, int], None]

    def on_disk(self) -> StoreIndex:
        """Bring the index on disk up to date; whoever calls this holds the lock."""
        try:
            found = self.shelf.read()
            if found and self.shelf.is_sealed(found[0]):
                return self._from(*found)
            return self._checked(*found) if found else self._anew()
        except (DamagedError, FileNotFoundError):
            return self._anew()

    def _from(self, head: Head, parts: Parts) -> StoreIndex:
        if parts.data(LOOKED) == self.looked.data:
            return opened(self.shelf, head, parts, self.looked.data)
        work = Work.loaded(self.shelf, head, parts)
        return self._done(work)

    def _checked(self, head: Head, parts: Parts) -> StoreIndex:
        """Use what somebody touched only after reading it all; postings are made anew."""
        work = Work.loaded(self.shelf, head, parts)
        for _, entry in work.catalog.entries.documents():
            work.catalog.records.both(entry.place)
            work.catalog.records.passages(entry.place)
        work.make_again()
        return self._done(work)

    def _anew(self) -> StoreIndex:
        clear(self.shelf)
        return self._done(Work.new(self.shelf))

    def _done(self, work: Work) -> StoreIndex:
        catalog, seen = work.catalog, _seen(self.looked)
        queue = self._queue(catalog)
        is_posting = len(queue) > RECENT  # decided once: what is read then says its words
        if is_posting:
            work.write_postings()
        for count in self._read(catalog, queue):
            if count % CHUNK == 0 and queue:
                work.keep(seen, b"")
                if is_posting:
                    work.write_postings()
        work.tidy()
        work.keep(seen, self._settled(catalog))
        found = self.shelf.read()
        if found is None:
            raise DamagedError("The index went away while it was made.")
        return opened(self.shelf, *found, found[1].data(LOOKED))

    def in_memory(self, before: StoreIndex | None) -> StoreIndex:
        """Hold the index in memory, on top of what can be read of the one on disk."""
        if before and before.held.catalog:
            catalog, postings = before.held.catalog, before.held.postings
        else:
            catalog, postings = self._readable()
        queue = self._queue(catalog)
        for _ in self._read(catalog, queue):
            pass
        return _held(catalog, _seen(self.looked), postings, self._settled(catalog))

    def _readable(self) -> tuple[Catalog, Postings | None]:
        try:
            found = self.shelf.read()
            if found and self.shelf.is_sealed(found[0]):
                head, parts = found
                records = Records(Descriptor(self.shelf.folder / head.records), head.end)
                postings = Postings(self.shelf.folder / head.postings) if head.postings else None
                return loaded_catalog(records, head, parts), postings
        except (DamagedError, OSError):
            pass
        return Catalog(records=Records()), None

    def _read(self, catalog: Catalog, queue: list[str]) -> Iterator[int]:
        """Read every file of a heap, and say after each how many those were."""
        total, count = len(queue), 0
        files = [(file, catalog.known(file)) for file in sorted(queue)]
        with Readers(self.looked.root, files, is_posting=catalog.writer is not None) as read:
            while queue:
                catalog.take(queue, read, self.racy_from)
                count += 1
                self.progress(count, max(total, count))
                yield count

    def _queue(self, catalog: Catalog) -> list[str]:
        """Take away what is gone, and give the files to read as a heap."""
        changed, gone = catalog.entries.differing(self._files)
        queue = list({*changed, *catalog.forget(gone)})
        heapify(queue)
        return queue

    def _settled(self, catalog: Catalog) -> bytes:
        """Give what the store looked like, empty where a file has to be read again anyway."""
        changed, gone = catalog.entries.differing(self._files)
        return b"" if changed or gone else self.looked.data

    @cached_property
    def _files(self) -> dict[str, bytes]:
        """Give the files that can be read, with their signatures."""
        files = self.looked.looks.packed()
        for odd in _odd(self.looked):
            del files[odd]
        return files


def _odd(looked: Looked) -> dict[str, str]:
    """Give the names that are no text, and why those files are not read."""
    if looked.is_plain:
        return {}
    found = looked.looks.files()
    read = sorted_scan(found)
    odd = sorted(found.keys() - read.files.keys())
    return {name: each.reason for name, each in zip(odd, read.failures, strict=True)}


def _seen(looked: Looked) -> Seen:
    failures = [
        (os.fsencode(name).decode(errors="backslashreplace"), reason)
        for name, reason in _odd(looked).items()
    ]
    meant = _synonyms(looked)
    return Seen(
        strays=looked.strays.names,
        stray_error=looked.strays.error,
        failures=tuple(failures),
        synonyms={} if isinstance(meant, Refusal) else meant,
        synonyms_error=meant.reason if isinstance(meant, Refusal) else None,
    )


def _synonyms(looked: Looked) -> Mapping[str, tuple[str, ...]] | Refusal:
    """Read the store's own list of words that mean the same, if there is one."""
    if not looked.synonyms:
        return {}
    try:
        return read_synonyms(read_inside(looked.root, SYNONYMS, BYTES))
    except AgentJournalError as error:
        return Refusal(error.message)


def _held(
    catalog: Catalog, seen: Seen, postings: Postings | None, looked: bytes = b""
) -> StoreIndex:
    head = head_of(
        catalog.entries.tally,
        seen=seen,
        dead=catalog.dead,
        files=Files(end=catalog.records.end, seals={}),
    )
    held = Held(
        records=catalog.records,
        postings=postings,
        added=lambda: catalog.added,
        files=catalog.entries.places,
        looked=looked,
        catalog=catalog,
    )
    return StoreIndex(head, held)
