"""Bringing the index of a store up to date: only files that changed are read."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from heapq import heapify
from typing import TYPE_CHECKING

from agentjournal.engmem.index.catalog import Catalog
from agentjournal.engmem.index.head import Files, Seen, head_of
from agentjournal.engmem.index.looked import Looked, looked_at
from agentjournal.engmem.index.postings import Postings, PostingsWriter
from agentjournal.engmem.index.records import Records
from agentjournal.engmem.index.shelf import opened, places, read_added, read_entries, shelf_of
from agentjournal.engmem.index.store_index import Held, StoreIndex
from agentjournal.engmem.scan import Signature, scan, sorted_scan
from agentjournal.engmem.store import read_file
from agentjournal.errors import DamagedError, InputError, StoreError
from agentjournal.system.files import private_folder, store_error
from agentjournal.system.lock import ProcessLock

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agentjournal.engmem.index.head import Head
    from agentjournal.engmem.index.parts import Parts
    from agentjournal.engmem.index.shelf import Shelf

__all__ = ["Listener", "refreshed"]

RECENT = 32  # documents that the postings may lack: each search looks at all of them
CHUNK = 5_000  # documents after which what was read so far is kept
WAIT = 120.0  # seconds for whoever is at it now
TICK = 50_000_000  # nanoseconds: the coarsest clock of a file system
_DEAD = 64
_GARBAGE = 4_000_000  # bytes


@dataclass(frozen=True)
class Listener:
    """Is told how many files of how many were read, and what the user should know."""

    progress: Callable[[int, int], None] = lambda done, total: None  # noqa: ARG005
    note: Callable[[str], None] = lambda text: None  # noqa: ARG005


def refreshed(
    root: Path,
    cache_dir: Path,
    *,
    now: int,
    before: StoreIndex | None = None,
    listener: Listener | None = None,
) -> StoreIndex:
    """Open the index of a store for what the store holds now, made or brought up to date first.

    `now` is in nanoseconds since 1970. Where the index cannot be written it is held in memory,
    which the listener is told; `before` is the index that this process used until now.

    Raises:
        NotFoundError: there is no folder `sessions`.
    """
    if unlisted := scan_error(root):
        return _nothing(unlisted)
    told = listener or Listener()
    refresh = _Refresh(root, shelf_of(root, cache_dir), now - TICK, told.progress)
    try:
        private_folder(refresh.shelf.folder)
        with ProcessLock(refresh.shelf.folder / "lock").hold(WAIT):
            return refresh.on_disk()
    except OSError as error:
        told.note(_NOTE.format(store_error(error, refresh.shelf.folder).message))
    except StoreError as error:
        told.note(_NOTE.format(error.message))
    return refresh.in_memory(before.held.catalog if before else None)


_NOTE = "The index of the documents is not kept, so every search takes longer: {}"


def scan_error(root: Path) -> str | None:
    """Say why the documents cannot be listed.

    Raises:
        NotFoundError: there is no folder `sessions`.
    """
    try:
        looked_at(root)
    except (InputError, OSError):
        return scan(root).error
    return None


def _nothing(error: str) -> StoreIndex:
    seen = Seen(scan_error=error, failures=(("sessions", error),))
    return _held(Catalog(records=Records()), seen, None)


@dataclass(frozen=True)
class _Refresh:
    root: Path
    shelf: Shelf
    racy_from: int
    progress: Callable[[int, int], None]

    def on_disk(self) -> StoreIndex:
        """Bring the index on disk up to date; whoever calls this holds the lock."""
        looked = looked_at(self.root)
        try:
            found = self.shelf.read()
            if found and self.shelf.is_sealed(found[0]):
                index = self._from(found[0], found[1], looked)
            else:
                index = self._checked(*found, looked) if found else self._anew(looked)
        except (DamagedError, FileNotFoundError):
            index = self._anew(looked)
        return index

    def _from(self, head: Head, parts: Parts, looked: Looked) -> StoreIndex:
        if parts.data(1) == looked.data():
            return opened(self.shelf, head, parts)
        work = _Work.loaded(self.shelf, head, parts)
        return self._done(work, looked)

    def _checked(self, head: Head, parts: Parts, looked: Looked) -> StoreIndex:
        """Use what somebody touched only after reading it all; postings are made anew."""
        work = _Work.loaded(self.shelf, head, parts)
        for entry in work.catalog.entries.values():
            if entry.is_document:
                work.catalog.records.both(entry.place)
                work.catalog.records.passages(entry.place)
        work.make_again()
        return self._done(work, looked)

    def _anew(self, looked: Looked) -> StoreIndex:
        self.shelf.clear()
        return self._done(_Work.new(self.shelf), looked)

    def _done(self, work: _Work, looked: Looked) -> StoreIndex:
        catalog, seen = work.catalog, _seen(looked)
        queue = self._queue(catalog, looked)
        total = len(queue)
        if total > RECENT:
            work.write_postings()
        for count in range(1, 10**9):
            if not queue:
                break
            catalog.take(queue, partial(read_file, self.root), self.racy_from)
            self.progress(count, total)
            if count % CHUNK == 0 and queue:
                work.keep(seen, b"")
                work.write_postings()
        work.tidy()
        work.keep(seen, looked.data() if catalog.is_settled else b"")
        found = self.shelf.read()
        if found is None:
            raise DamagedError("The index went away while it was made.")
        catalog.records.close()
        return opened(self.shelf, *found)

    def in_memory(self, catalog: Catalog | None) -> StoreIndex:
        """Hold the index in memory, on top of what can be read of the one on disk."""
        postings = None
        if catalog is None:
            catalog, postings = self._readable()
        looked = looked_at(self.root)
        queue = self._queue(catalog, looked)
        for count, total in enumerate(range(len(queue), 10**9), 1):
            if not queue:
                break
            catalog.take(queue, partial(read_file, self.root), self.racy_from)
            self.progress(count, total)
        return _held(catalog, _seen(looked), postings)

    def _readable(self) -> tuple[Catalog, Postings | None]:
        try:
            found = self.shelf.read()
            if found and self.shelf.is_sealed(found[0]):
                head, parts = found
                descriptor = os.open(self.shelf.folder / head.records, os.O_RDONLY | os.O_CLOEXEC)
                postings = Postings(self.shelf.folder / head.postings) if head.postings else None
                return _catalog(Records(descriptor, head.end), head, parts), postings
        except (DamagedError, OSError):
            pass
        return Catalog(records=Records()), None

    def _queue(self, catalog: Catalog, looked: Looked) -> list[str]:
        """Take away what is gone, and give the files to read as a heap."""
        names = sorted_scan({name: Signature(*numbers) for name, *numbers in looked.files}).files
        changed, gone = catalog.differing(names)
        queue = list({*changed, *catalog.forget(gone)})
        heapify(queue)
        return queue


@dataclass
class _Work:
    """An index that is being written."""

    shelf: Shelf
    catalog: Catalog
    names: tuple[str, str]  # of the records' file and the postings' folder, which may be missing

    @classmethod
    def new(cls, shelf: Shelf) -> _Work:
        return cls(shelf, Catalog(records=_writing(shelf, "records-1", 0)), ("records-1", ""))

    @classmethod
    def loaded(cls, shelf: Shelf, head: Head, parts: Parts) -> _Work:
        catalog = _catalog(_writing(shelf, head.records, head.end), head, parts)
        return cls(shelf, catalog, (head.records, head.postings))

    def write_postings(self) -> None:
        """Send to the postings what is read from now on."""
        if not self.names[1]:
            self.names = (self.names[0], f"postings-{_number(self.names[0])}")
        folder = self.shelf.folder / self.names[1]
        folder.mkdir(mode=0o700, exist_ok=True)
        self.catalog.writer = PostingsWriter(folder)

    def tidy(self) -> None:
        """Post what has become too much to look at one by one; leave what is gone behind."""
        catalog = self.catalog
        live = [entry for entry in catalog.entries.values() if entry.is_document]
        lost = catalog.records.end - 2 * sum(entry.length for entry in live)
        if len(catalog.dead) > max(_DEAD, len(live) // 4) or lost > _GARBAGE + len(live):
            self.make_again()
        elif catalog.recent > RECENT:
            if not catalog.writer:
                self.write_postings()
            if catalog.writer:
                catalog.post(catalog.writer)

    def make_again(self) -> None:
        """Copy what counts to new files."""
        number = _number(self.names[0]) + 1
        if self.catalog.writer:
            self.catalog.writer.commit()
        self.names = (f"records-{number}", "")
        self.write_postings()
        old = self.catalog.records
        records = _writing(self.shelf, self.names[0], 0)
        if self.catalog.writer:
            self.catalog.post_again(self.catalog.writer, records)
        old.close()

    def keep(self, seen: Seen, looked: bytes) -> None:
        """Write everything down; what names the files comes last."""
        catalog = self.catalog
        catalog.records.write()
        if catalog.writer:
            catalog.writer.commit()
            catalog.writer = None
        head = head_of(
            catalog.entries,
            seen=seen,
            dead=catalog.dead,
            files=Files(
                key=self.shelf.key,
                records=self.names[0],
                end=catalog.records.end,
                postings=self.names[1],
                seals=self.shelf.seals(*self.names),
            ),
        )
        self.shelf.write(head, looked, catalog.entries, catalog.added)
        self.shelf.clear(kept=("index", *self.names))


def _catalog(records: Records, head: Head, parts: Parts) -> Catalog:
    return Catalog(
        records=records,
        entries=read_entries(parts),
        added=read_added(parts),
        dead=set(head.dead),
    )


def _writing(shelf: Shelf, name: str, end: int) -> Records:
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    return Records(os.open(shelf.folder / name, flags, 0o600), end, is_writing=True)


def _number(records: str) -> int:
    return int(records.rpartition("-")[2])


def _seen(looked: Looked) -> Seen:
    odd = sorted_scan({name: Signature(*numbers) for name, *numbers in looked.files}).failures
    return Seen(
        looked.strays.names,
        looked.strays.error,
        None,
        tuple((each.file, each.reason) for each in odd),
    )


def _held(catalog: Catalog, seen: Seen, postings: Postings | None) -> StoreIndex:
    head = head_of(
        catalog.entries,
        seen=seen,
        dead=catalog.dead,
        files=Files(end=catalog.records.end),
    )
    held = Held(
        records=catalog.records,
        postings=postings,
        added=lambda: catalog.added,
        files=lambda: places(catalog.entries),
        catalog=catalog,
    )
    return StoreIndex(head, held)
