"""What changes when a file does: compared instead of reading it."""

from __future__ import annotations

import os

from agentjournal.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Seal", "seal_of"]


class Seal(NamedTuple):
    """Size, times in nanoseconds and which file it is; nobody sets the time of change back."""

    size: int
    modified: int
    changed: int
    inode: int


def seal_of(path: Path) -> Seal | None:
    """Look at a file; nothing there, or nothing to be looked at, is None."""
    try:
        found = os.stat(path, follow_symlinks=False)  # noqa: PTH116 - a Path costs more than the call
    except OSError:
        return None
    return Seal(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
