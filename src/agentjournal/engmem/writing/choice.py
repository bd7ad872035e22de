"""Saving a choice of the user: the one line of a setting's file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.system.files import private_folder, write_atomically

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["save_choice"]


def save_choice(file: Path, line: str) -> None:
    """Save a choice as the one line of its file; a link that stands there is written through.

    Raises:
        StoreError: it cannot be written.
    """
    place = file.resolve() if file.is_symlink() else file
    private_folder(place.parent)
    write_atomically(place, f"{line}\n".encode(errors="surrogateescape"))
