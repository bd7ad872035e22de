"""Files below one folder, read and written so that no name and no link leads out of it."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from agentjournal.errors import InputError
from agentjournal.system.files import list_inside, open_inside, store_error

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Jail"]

READ_BYTES = 64 * 1024
WRITE_BYTES = 1024 * 1024
_TRUNCATED = "\n\u2026[truncated]"
_INSIDE = 0b1000_0000  # the two high bits of every byte of a character but its first
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Jail:
    """One folder; every path is relative to it, and each part is opened from its parent without links."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def read(self, path: str) -> str:
        """Give a file's text, at most 64 KiB of it, cut at a character."""
        with open(open_inside(self.root, _plain(path)), "rb") as file:  # noqa: PTH123 - a descriptor
            data = file.read(READ_BYTES + 1)
        if len(data) <= READ_BYTES:
            return data.decode("utf-8", "replace")
        end = READ_BYTES
        while end > READ_BYTES - 4 and data[end] & 0b1100_0000 == _INSIDE:
            end -= 1
        return data[:end].decode("utf-8", "replace") + _TRUNCATED

    def names(self, path: str = "") -> str:
        """Give a folder's names, sorted, folders with a slash."""
        listing = list_inside(self.root, _plain(path))
        names = sorted([*listing.files, *(f"{name}/" for name in listing.folders)])
        return "\n".join(names) or "(empty directory)"

    def write(self, path: str, text: str) -> str:
        """Put a file there whole, making its folders; gives a sentence."""
        data = text.encode(errors="replace")
        if len(data) > WRITE_BYTES:
            raise InputError(
                f"A file may have at most {WRITE_BYTES} bytes, not {len(data)}.", next="Split it."
            )
        *folders, name = _parts(_plain(path))
        try:
            with self._folder(folders) as folder:
                _write(folder, name, data)
        except OSError as error:
            raise store_error(error, self.root / path) from error
        return f"wrote {len(data)} bytes to {path}"

    @contextlib.contextmanager
    def _folder(self, folders: list[str]) -> Iterator[int]:
        """Open a folder part by part, making what is missing."""
        here = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for name in folders:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(name, 0o755, dir_fd=here)
                below = os.open(name, _FOLDER, dir_fd=here)
                os.close(here)
                here = below
            yield here
        finally:
            os.close(here)


def _write(folder: int, name: str, data: bytes) -> None:
    """Write beside the place and rename over it; a link there is replaced, not followed."""
    beside = f".{name[:80]}.agentloop"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(beside, dir_fd=folder)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        with open(os.open(beside, flags, 0o644, dir_fd=folder), "wb") as file:  # noqa: PTH123 - a descriptor
            file.write(data)
        os.rename(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(beside, dir_fd=folder)
        raise


def _plain(path: str) -> str:
    """Give the path without a leading `./` or a last slash; what leads out is refused further down."""
    bare = path.strip()
    bare = bare.removeprefix("./").rstrip("/") if not bare.startswith("/") else bare
    return "" if bare == "." else bare


def _parts(path: str) -> list[str]:
    parts = path.split("/")
    if "\0" in path or any(part.lower() in {"", ".", "..", ".git"} for part in parts):
        raise InputError(
            f"{path!r} must be plain, relative, and outside of .git.",
            next="Leave out '..' and slashes.",
        )
    return parts
