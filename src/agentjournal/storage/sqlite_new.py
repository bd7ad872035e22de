"""New SQLite files: ours alone from their first moment, in the journal mode that they will have."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import apsw

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["make_file", "set_journal", "sync_folder"]


def make_file(path: Path, *, journal: str, vfs: str | None) -> None:
    """Make an empty database of mode 0600 that is on the disk when this returns."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    set_journal(path, journal=journal, vfs=vfs)


def set_journal(path: Path, *, journal: str, vfs: str | None = None) -> None:
    """Give a file that nobody else has open its journal mode."""
    connection = apsw.Connection(str(path), vfs=vfs)
    try:
        connection.pragma("journal_mode", journal)
    finally:
        connection.close()


def sync_folder(folder: Path) -> None:
    """Let the names in the folder reach the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
