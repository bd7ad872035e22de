"""An open file that closes itself once nobody reads from it any more, in whichever thread."""

from __future__ import annotations

import contextlib
import os

from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Descriptor"]

_ALWAYS = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK  # a pipe that stands there is not waited for


class Descriptor:
    """Reads and writes at offsets; the file may have been removed or replaced meanwhile."""

    def __init__(self, path: Path, flags: int = os.O_RDONLY) -> None:
        self._number = os.open(path, flags | _ALWAYS, 0o600)

    def __del__(self) -> None:
        if hasattr(self, "_number"):
            with contextlib.suppress(OSError):
                os.close(self._number)

    def read(self, length: int, offset: int) -> bytes:
        """Read so many bytes, fewer at the end of the file."""
        return os.pread(self._number, length, offset)

    def write(self, data: bytes, offset: int) -> None:
        """Write all of it."""
        while data:
            count = os.pwrite(self._number, data, offset)
            offset, data = offset + count, data[count:]
