"""What an index knows of every file: a row of bytes each, of which few are ever taken apart."""

from __future__ import annotations

import marshal

from agentjournal.engmem.index.entry import Entry
from agentjournal.engmem.index.parts import MARSHAL, unpacked
from agentjournal.engmem.index.records import PLACED, Place, places
from agentjournal.engmem.index.tally import Tally
from agentjournal.engmem.scan import Signature
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Entries"]

# A row: the place of the record, the signature of the file, the other values of its entry.
_SIGNED = PLACED.size
_TOLD = _SIGNED + len(Signature(0, 0, 0, 0).packed)


class Entries:
    """By file name, the signature that the file had and its entry; and what those add up to."""

    def __init__(self, rows: dict[str, bytes] | None = None, tally: Tally | None = None) -> None:
        self._rows = {} if rows is None else rows
        self.tally = tally or Tally()

    @classmethod
    def of(cls, data: bytes, tally: Tally) -> Entries:
        """Read what `data` gave."""
        return cls(unpacked(data), tally)  # type: ignore[arg-type]  # checked by the checksum of its part

    @property
    def data(self) -> bytes:
        """Write the rows down."""
        return marshal.dumps(self._rows, MARSHAL)

    def get(self, file: str) -> Entry | None:
        """Give the entry of a file, None where it has none."""
        row = self._rows.get(file)
        return _entry(row) if row else None

    def put(self, file: str, entry: Entry, signature: bytes) -> None:
        """Note what was found in a file with this signature."""
        self.pop(file)
        self._rows[file] = _row(entry, signature)
        self.tally.add(file, entry)

    def move(self, file: str, entry: Entry) -> None:
        """Note that what is known of a file stands elsewhere."""
        self.put(file, entry, self._rows[file][_SIGNED:_TOLD])

    def pop(self, file: str) -> Entry | None:
        """Forget a file, and give the entry that it had."""
        if (row := self._rows.pop(file, None)) is None:
            return None
        entry = _entry(row)
        self.tally.remove(file, entry)
        return entry

    def differing(self, files: Mapping[str, bytes]) -> tuple[list[str], list[str]]:
        """Give the files whose signature is not the one that is known, and those that are gone."""
        known = self._rows.get
        changed = [
            name for name, each in files.items() if not known(name, b"").startswith(each, _SIGNED)
        ]
        is_whole = len(files) - len(changed) == len(self._rows)
        return changed, [] if is_whole else [name for name in self._rows if name not in files]

    def places(self) -> dict[str, Place]:
        """Give the place of every document, by file name."""
        return places(self._rows)

    def documents(self) -> Iterator[tuple[str, Entry]]:
        """Give every document by file name, in no order; entries may be put meanwhile."""
        every = ((file, _entry(self._rows[file])) for file in [*self._rows])
        return ((file, entry) for file, entry in every if entry.is_document)


def _row(entry: Entry, signature: bytes) -> bytes:
    offset, length, *told = entry
    return Place(offset, length).packed + signature + marshal.dumps(told, MARSHAL)


def _entry(row: bytes) -> Entry:
    told: list[object] = unpacked(row[_TOLD:])  # type: ignore[assignment]  # as `_row` wrote it
    return Entry(*Place.of(row), *told)  # type: ignore[arg-type]  # same
