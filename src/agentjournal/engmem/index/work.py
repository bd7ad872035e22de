"""An index that is being written: its files, and when they are made again."""

from __future__ import annotations

import contextlib
import os

from agentjournal.engmem.index.catalog import Catalog
from agentjournal.engmem.index.descriptor import Descriptor
from agentjournal.engmem.index.entries import Entries
from agentjournal.engmem.index.head import Files, head_of
from agentjournal.engmem.index.heap import share_heap
from agentjournal.engmem.index.postings import PostingsWriter
from agentjournal.engmem.index.records import Records
from agentjournal.engmem.index.shelf import ENTRIES, LOCK, TALLY, read_added
from agentjournal.engmem.index.tally import Tally
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from agentjournal.engmem.index.head import Head, Seen
    from agentjournal.engmem.index.parts import Parts
    from agentjournal.engmem.index.shelf import Shelf

__all__ = ["RECENT", "Work", "clear", "loaded_catalog"]

RECENT = 32  # documents that the postings may lack: each search looks at all of them
_DEAD = 64
_GARBAGE = 4_000_000  # bytes


class Work:
    """An index that is being written."""

    def __init__(self, shelf: Shelf, catalog: Catalog, names: tuple[str, str]) -> None:
        """`names` are those of the records' file and the postings' folder, which may be missing."""
        self.shelf = shelf
        self.catalog = catalog
        self.names = names

    @classmethod
    def new(cls, shelf: Shelf) -> Work:
        """Begin with nothing."""
        return cls(shelf, Catalog(records=_writing(shelf, "records-1", 0)), ("records-1", ""))

    @classmethod
    def loaded(cls, shelf: Shelf, head: Head, parts: Parts) -> Work:
        """Go on where an index was left."""
        catalog = loaded_catalog(_writing(shelf, head.records, head.end), head, parts)
        return cls(shelf, catalog, (head.records, head.postings))

    def write_postings(self) -> None:
        """Send to the postings what is read from now on."""
        if self.catalog.writer:
            return
        if not self.names[1]:
            self.names = (self.names[0], f"postings-{_number(self.names[0])}")
        folder = self.shelf.folder / self.names[1]
        folder.mkdir(mode=0o700, exist_ok=True)
        share_heap()
        self.catalog.writer = PostingsWriter(folder)

    def tidy(self) -> None:
        """Post what has become too much to look at one by one; leave what is gone behind."""
        catalog, tally = self.catalog, self.catalog.entries.tally
        lost = catalog.records.end - 2 * tally.bytes
        if len(catalog.dead) > max(_DEAD, tally.total // 4) or lost > _GARBAGE + tally.total:
            self.make_again()
        elif len(tally.recent) > RECENT:
            if not catalog.writer:
                self.write_postings()
            if catalog.writer:
                catalog.post(catalog.writer)

    def make_again(self) -> None:
        """Copy what counts to new files."""
        number = _number(self.names[0]) + 1
        if self.catalog.writer:
            self.catalog.writer.commit()
            self.catalog.writer = None
        self.names = (f"records-{number}", "")
        self.write_postings()
        records = _writing(self.shelf, self.names[0], 0)
        if self.catalog.writer:
            self.catalog.post_again(self.catalog.writer, records)

    def keep(self, seen: Seen, looked: bytes) -> None:
        """Write everything down; what names the files comes last."""
        catalog = self.catalog
        catalog.records.write()
        if catalog.writer:
            catalog.writer.commit()
            catalog.writer = None
        head = head_of(
            catalog.entries.tally,
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
        clear(self.shelf, kept=("index", *self.names))


def loaded_catalog(records: Records, head: Head, parts: Parts) -> Catalog:
    """Take up an index where it was left."""
    return Catalog(
        records=records,
        entries=Entries.of(parts.data(ENTRIES), Tally.of(parts.data(TALLY))),
        added=read_added(parts),
        dead=head.dead,
    )


def _writing(shelf: Shelf, name: str, end: int) -> Records:
    file = Descriptor(shelf.folder / name, os.O_RDWR | os.O_CREAT)
    return Records(file, end, is_writing=True)


def _number(records: str) -> int:
    return int(records.rpartition("-")[2])


def clear(shelf: Shelf, kept: Iterable[str] = ()) -> None:
    """Remove every file but those that are kept, and the lock."""
    stays = {LOCK, f"{LOCK}.next", *kept}
    for name in os.listdir(shelf.folder):  # noqa: PTH208 - names only
        if name not in stays:
            _remove(shelf.folder / name)


def _remove(path: Path) -> None:
    """Remove a file, or a folder of files; `shutil` would be loaded for every changed document."""
    if not path.is_dir() or path.is_symlink():
        path.unlink(missing_ok=True)
        return
    with contextlib.suppress(OSError):
        for name in os.listdir(path):  # noqa: PTH208 - names only
            (path / name).unlink(missing_ok=True)
        path.rmdir()
