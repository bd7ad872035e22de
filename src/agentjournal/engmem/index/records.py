"""What is kept of each document, one after the other in a file that only grows."""

from __future__ import annotations

import marshal
import struct
import zlib

from agentjournal.engmem.header import Header, Passage
from agentjournal.engmem.index.parts import MARSHAL, unpacked
from agentjournal.errors import DamagedError
from agentjournal.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from agentjournal.engmem.index.descriptor import Descriptor
    from agentjournal.engmem.ranking.encoded import Encoded

__all__ = ["AGAIN", "PLACED", "Place", "Records", "places", "record"]

_HEAD = struct.Struct("<IIII")  # bytes of header, encoded and passages; checksum of the first two
PLACED = struct.Struct("<qI")
AGAIN = "Ask again: the index is made anew."
_MANY = 1_000_000  # bytes
_FIELDS = tuple(Header.__annotations__)


class Place(NamedTuple):
    """Where a record begins, and the bytes of its head, header and encoded text."""

    offset: int
    length: int

    @property
    def packed(self) -> bytes:
        """Write it down in the bytes that `of` reads."""
        return PLACED.pack(*self)

    @classmethod
    def of(cls, data: bytes) -> Place:
        """Read it from the beginning of what `packed` gave."""
        return cls(*PLACED.unpack_from(data))


def places(rows: Mapping[str, bytes]) -> dict[str, Place]:
    """Give the places of documents by file name, from rows that begin with one each."""
    found = {file: Place.of(rows[file]) for file in sorted(rows)}
    return {file: place for file, place in found.items() if place.offset >= 0}


class Records:
    """Reads records from a file, and from memory what was not written to it.

    Those in memory have places from `written` on, as if they stood in the file. With `is_writing`
    they go there once they are many. `damaged` is called before damage is told.
    """

    def __init__(
        self,
        file: Descriptor | None = None,
        written: int = 0,
        *,
        is_writing: bool = False,
        damaged: Callable[[], None] = lambda: None,
    ) -> None:
        self._file = file
        self._written = self.end = written
        self._is_writing = is_writing
        self._report = damaged
        self._held: dict[int, bytes] = {}

    def add(self, data: bytes) -> Place:
        """Take a record in."""
        place = Place(self.end, _HEAD.size + sum(_HEAD.unpack_from(data)[:2]))
        self._held[self.end] = data
        self.end += len(data)
        if self._is_writing and self.end - self._written > _MANY:
            self.write()
        return place

    def write(self) -> None:
        """Write to the file what is held."""
        if self._file:
            self._file.write(b"".join(self._held.values()), self._written)
            self._written = self.end
            self._held.clear()

    def whole(self, place: Place) -> bytes:
        """Read a record as it stands."""
        _, _, length, _ = _HEAD.unpack(self._read(place.offset, _HEAD.size))
        return self._read(place.offset, place.length + length)

    def header(self, place: Place) -> Header:
        """Read the header of a document."""
        return self.both(place)[0]

    def both(self, place: Place) -> tuple[Header, Encoded]:
        """Read the header of a document and its text as the ranking reads it.

        Raises:
            DamagedError: it is not what was written.
        """
        data = self._read(place.offset, place.length)
        try:
            first, second, _, checksum = _HEAD.unpack_from(data)
        except struct.error as error:
            raise self._damaged() from error
        if len(data) != _HEAD.size + first + second or zlib.crc32(data[16:]) != checksum:
            raise self._damaged()
        values = unpacked(data[16 : 16 + first])
        return _header(values), data[16 + first :].decode()  # type: ignore[return-value]  # by the checksum these are our own values

    def passages(self, place: Place) -> tuple[Passage, ...]:
        """Read the sections of a document.

        Raises:
            DamagedError: they are not what was written.
        """
        _, _, length, _ = _HEAD.unpack(self._read(place.offset, _HEAD.size))
        data = self._read(place.offset + place.length, length)
        try:
            rows = unpacked(zlib.decompress(data))
        except (zlib.error, ValueError, EOFError, TypeError) as error:
            raise self._damaged() from error
        return tuple(_passage(row) for row in rows)  # type: ignore[attr-defined]  # as above

    def _damaged(self) -> DamagedError:
        self._report()
        return DamagedError("A record of the index is not what was written.", next=AGAIN)

    def _read(self, offset: int, length: int) -> bytes:
        if offset < self._written and self._file:
            return self._file.read(length, offset)
        begin = offset if offset in self._held else max(at for at in self._held if at <= offset)
        return self._held[begin][offset - begin :][:length]


def record(header: Header, encoded: Encoded, passages: Sequence[Passage]) -> bytes:
    """Write a document down as one record."""
    first = marshal.dumps([getattr(header, name) for name in _FIELDS], MARSHAL)
    second = encoded.encode()
    rows = [(p.place, p.anchor, p.heading, p.role, p.size, p.text) for p in passages]
    third = zlib.compress(marshal.dumps(rows, MARSHAL), 1)
    head = _HEAD.pack(len(first), len(second), len(third), zlib.crc32(second, zlib.crc32(first)))
    return b"".join([head, first, second, third])


def _header(values: object) -> Header:
    """Fill in the fields as they were written: a checksum vouches for them."""
    header = Header.__new__(Header)
    vars(header).update(zip(_FIELDS, values, strict=True))  # type: ignore[call-overload]  # as above
    return header


def _passage(row: tuple[int, str, str, str | None, int, str]) -> Passage:
    place, anchor, heading, role, size, text = row
    return Passage(place=place, anchor=anchor, heading=heading, role=role, size=size, text=text)  # type: ignore[arg-type]  # as above
