"""Plain values on a pipe between this program and those that read files for it."""

from __future__ import annotations

import marshal
import struct
from zlib import crc32

from agentjournal.engmem.index.format import FORMAT
from agentjournal.engmem.index.parts import MARSHAL, unpacked
from agentjournal.errors import DamagedError
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import IO, Any

__all__ = ["receive", "send"]

_HEAD = struct.Struct("<4sII")  # mark, bytes, checksum
_MARK = b"ajf" + bytes([FORMAT])  # a program that was updated meanwhile reads in another way
_MOST = 512 * 1024**2


def send(pipe: IO[bytes], value: list[Any]) -> None:
    """Send a list of plain values.

    Raises:
        OSError: nobody listens.
    """
    data = marshal.dumps(value, MARSHAL)
    pipe.write(_HEAD.pack(_MARK, len(data), crc32(data)) + data)
    pipe.flush()


def receive(pipe: IO[bytes]) -> object:
    """Wait for a value; None at the end.

    Raises:
        DamagedError: something else came, or half of it.
    """
    head = pipe.read(_HEAD.size)
    if not head:
        return None
    if len(head) == _HEAD.size:
        mark, length, checksum = _HEAD.unpack(head)
        if mark == _MARK and length <= _MOST:
            data = pipe.read(length)
            if len(data) == length and crc32(data) == checksum:
                return unpacked(data)
    raise DamagedError("What came over a pipe is not what is sent there.")
