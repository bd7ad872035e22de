"""The folder of one index: which files it has, and whether they are those that were left there."""

from __future__ import annotations

import marshal
import os
import unicodedata
from functools import partial
from zlib import crc32

from agentjournal.engmem.index.descriptor import Descriptor
from agentjournal.engmem.index.format import FORMAT
from agentjournal.engmem.index.head import Head
from agentjournal.engmem.index.parts import MARSHAL, read_parts, unpacked, write_parts
from agentjournal.engmem.index.postings import Postings
from agentjournal.engmem.index.records import Records, places
from agentjournal.engmem.index.seal import seal_of
from agentjournal.engmem.index.store_index import Held, StoreIndex
from agentjournal.errors import DamagedError
from agentjournal.frozen import frozen
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from agentjournal.engmem.index.entries import Entries
    from agentjournal.engmem.index.looked import Looked
    from agentjournal.engmem.index.parts import Parts
    from agentjournal.engmem.index.postings import Found
    from agentjournal.engmem.index.records import Place
    from agentjournal.engmem.index.seal import Seal

__all__ = ["FORMAT", "Shelf", "open_unchanged", "shelf_of"]

INDEX = "index"
LOCK = "lock"
_HEAD, LOOKED, ENTRIES, TALLY, _ADDED = range(5)
_LOCKS = ".tantivy-"


@frozen
class Shelf:
    """The folder of a store's index."""

    folder: Path
    key: str

    def read(self) -> tuple[Head, Parts] | None:
        """Open the index that was left here; None where there is none that can be used as it is.

        Raises:
            DamagedError: something else stands here.
        """
        parts = read_parts(self.folder / INDEX)
        if parts is None:
            return None
        head = Head.of(unpacked(parts.data(_HEAD)))
        if head.key != self.key:
            raise DamagedError("The index was made for another store or by another version.")
        return head, parts

    def seals(self, records: str, postings: str) -> dict[str, Seal]:
        """Look at the files of an index, all but the one that names them."""
        files = [records] if records else []
        if postings:
            names = os.listdir(self.folder / postings)  # noqa: PTH208 - names only
            files += [f"{postings}/{each}" for each in names if not each.startswith(_LOCKS)]
        found = {name: seal_of(self.folder / name) for name in files}
        return {name: seal for name, seal in found.items() if seal}

    def is_sealed(self, head: Head) -> bool:
        """Say whether nobody touched a file since the index was left here."""
        try:
            return self.seals(head.records, head.postings) == head.seals
        except OSError:
            return False

    def write(
        self, head: Head, looked: bytes, entries: Entries, added: Mapping[str, Found]
    ) -> None:
        """Leave an index here: whole, or the one before stays."""
        first, last = marshal.dumps(head.values(), MARSHAL), marshal.dumps(dict(added), MARSHAL)
        new = self.folder / f"{INDEX}.new"
        write_parts(new, [first, looked, entries.data, entries.tally.data, last])
        new.replace(self.folder / INDEX)

    def discard(self) -> None:
        """Let the next one make the index anew."""
        (self.folder / INDEX).unlink(missing_ok=True)


def shelf_of(root: Path, cache_dir: Path) -> Shelf:
    """Say where the index of a store stands, and what it has to be made for."""
    path = os.path.realpath(root)
    data = os.fsencode(path)
    name = f"{crc32(data):08x}{crc32(data[::-1], len(data)):08x}"  # the key tells any two apart
    key = f"{FORMAT} unicode {unicodedata.unidata_version} {data!r}"
    return Shelf(cache_dir / "engmem" / name, key)


def open_unchanged(looked: Looked, cache_dir: Path) -> StoreIndex | None:
    """Open the index of a store if it was left here for what the store now holds, else None."""
    shelf = shelf_of(looked.root, cache_dir)
    try:
        found = shelf.read()
        if found is None:
            return None
        head, parts = found
        if shelf.is_sealed(head) and parts.data(LOOKED) == looked.data:
            index = opened(shelf, head, parts, looked.data)
            return index if shelf.is_sealed(head) else None  # else: written while it was opened
    except (DamagedError, OSError):
        pass
    return None


def opened(shelf: Shelf, head: Head, parts: Parts, looked: bytes) -> StoreIndex:
    """Open the files of an index that was left for a store that looked like this.

    Raises:
        DamagedError: they are none of ours.
        OSError: one is gone.
    """
    held = Held(
        records=Records(Descriptor(shelf.folder / head.records), head.end, damaged=shelf.discard),
        postings=Postings(shelf.folder / head.postings) if head.postings else None,
        added=partial(read_added, parts),
        files=partial(_files, parts),
        looked=looked,
    )
    return StoreIndex(head, held)


def read_added(parts: Parts) -> dict[str, Found]:
    """Read the counts that the postings lack."""
    return unpacked(parts.data(_ADDED))  # type: ignore[return-value]  # checked by the checksum of its part


def _files(parts: Parts) -> dict[str, Place]:
    return places(unpacked(parts.data(ENTRIES)))  # type: ignore[arg-type]  # as above
