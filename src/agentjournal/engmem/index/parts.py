"""A file of a few values, written whole; each is read alone and only if its checksum holds."""

from __future__ import annotations

import marshal
import struct
from zlib import crc32

from agentjournal.engmem.index.descriptor import Descriptor
from agentjournal.errors import DamagedError
from agentjournal.frozen import frozen
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["Parts", "read_parts", "unpacked", "write_parts"]

MARSHAL = 2  # every Python reads it, and the same values are the same bytes
_HEAD = struct.Struct("<4sII")  # mark, bytes of the table, its checksum
_MARK = b"ajp1"
_ROW = struct.Struct("<QQI")


@frozen
class Parts:
    """Where each value of a file stands."""

    file: Descriptor
    table: Sequence[tuple[int, int, int]]  # offset, bytes, checksum

    def data(self, place: int) -> bytes:
        """Read the bytes of a value.

        Raises:
            DamagedError: they are not those that were written.
        """
        offset, length, checksum = self.table[place]
        data = self.file.read(length, offset)
        if len(data) != length or crc32(data) != checksum:
            raise DamagedError("A part of the index is not what was written.")
        return data


def read_parts(path: Path) -> Parts | None:
    """Open such a file; None where there is none.

    Raises:
        DamagedError: it is another file, or was cut or changed.
    """
    try:
        file = Descriptor(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DamagedError(f"The index cannot be opened: {error.strerror}.") from error
    return Parts(file, _table(file))


def write_parts(path: Path, values: Sequence[bytes]) -> None:
    """Write these values down as one file, one after the other."""
    offset, rows = 0, []
    for value in values:
        rows.append((offset, len(value), crc32(value)))
        offset += len(value)
    table = b"".join(_ROW.pack(*row) for row in rows)
    head = _HEAD.pack(_MARK, len(table), crc32(table))
    with path.open("wb") as file:
        for part in (head, table, *values):
            file.write(part)


def unpacked(data: bytes) -> object:
    """Read a value that `marshal` wrote and a checksum has vouched for."""
    return marshal.loads(data)  # noqa: S302 - our own file, private, verified


def _table(file: Descriptor) -> list[tuple[int, int, int]]:
    try:
        mark, length, checksum = _HEAD.unpack(file.read(_HEAD.size, 0))
    except (struct.error, OSError) as error:
        raise DamagedError("The index has no head.") from error
    table = file.read(min(length, 4096), _HEAD.size) if mark == _MARK else b""
    if len(table) != length or not length or length % _ROW.size or crc32(table) != checksum:
        raise DamagedError("The index has no table.")
    begin = _HEAD.size + length
    return [(begin + offset, size, crc) for offset, size, crc in _ROW.iter_unpack(table)]
