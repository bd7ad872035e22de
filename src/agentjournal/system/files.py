"""Files that stay in place: opened below a root without links, written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from itertools import count

from agentjournal.errors import (
    Fault,
    InputError,
    NotFoundError,
    StoreError,
    StoreFullError,
    StoreUnavailableError,
)
from agentjournal.frozen import frozen
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import NoReturn

__all__ = [
    "Listing",
    "folder_inside",
    "list_inside",
    "open_inside",
    "private_folder",
    "read_inside",
    "store_error",
    "sync_file",
    "sync_folder",
    "write_atomically",
]

_FULL_SYNC = getattr(fcntl, "F_FULLFSYNC", None)  # macOS: fsync alone stops at the drive's cache


@frozen
class Listing:
    """The names in one folder, sorted; links, devices and pipes are in neither list."""

    files: tuple[str, ...]
    folders: tuple[str, ...]


def open_inside(root: Path, relative: str) -> int:
    """Open a regular file below the root for reading and give its descriptor.

    Each part of the path is opened from its parent and no link is followed, so that nobody who
    swaps folders meanwhile can lead outside. The root itself is trusted as given.

    Raises:
        NotFoundError: there is no such file.
        InputError: the path is not plain and relative, passes a link, or ends at no regular file.
    """
    parts = _parts(relative)
    if not parts:
        _refuse(relative, "must name a file", "Name a file below the folder.")
    with folder_inside(root, "/".join(parts[:-1]), told=relative) as folder:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
        descriptor = _opened(parts[-1], flags, folder, relative)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        _refuse(relative, "must be a regular file", "Devices, pipes and folders are not read.")
    return descriptor


def read_inside(root: Path, relative: str, limit: int) -> bytes:
    """Read a regular file below the root, of at most so many bytes.

    Raises:
        NotFoundError: there is no such file.
        InputError: as `open_inside`, or the file is larger than the limit.
    """
    with open(open_inside(root, relative), "rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        _refuse(relative, f"may have at most {limit} bytes", "Shorten or split the file.")
    return data


def list_inside(root: Path, relative: str = "") -> Listing:
    """List a folder below the root, reached without following a link.

    Raises:
        NotFoundError: there is no such folder.
        InputError: the path is not plain and relative, or passes something that is no folder.
    """
    with folder_inside(root, relative) as folder, os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
        return Listing(
            files=tuple(entry.name for entry in found if entry.is_file(follow_symlinks=False)),
            folders=tuple(entry.name for entry in found if entry.is_dir(follow_symlinks=False)),
        )


@contextlib.contextmanager
def folder_inside(root: Path, relative: str = "", *, told: str = "") -> Iterator[int]:
    """Give the descriptor of a folder below the root, reached part by part without a link.

    Errors name the path `told`, else the folder.

    Raises:
        NotFoundError: there is no such folder.
        InputError: the path is not plain and relative, or passes something that is no folder.
    """
    told = told or relative or root.name
    here = _opened(str(root), os.O_RDONLY | os.O_DIRECTORY, None, told)
    try:
        for name in _parts(relative):
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
            below = _opened(name, flags, here, told)
            os.close(here)
            here = below
        yield here
    finally:
        os.close(here)


def write_atomically(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Put the file there whole, or leave what was there: also at a kill and a power loss.

    A link at that place is replaced, not followed.

    Raises:
        StoreFullError: there is no room for it.
        StoreUnavailableError: it cannot be written there.
    """
    try:
        descriptor, name = _new_beside(path)
        try:
            with open(descriptor, "wb") as file:  # noqa: PTH123 - it is a descriptor
                file.write(data)
                file.flush()
                os.fchmod(descriptor, mode)
                sync_file(descriptor)
            name.replace(path)
        except BaseException:
            name.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)
    except OSError as error:
        raise store_error(error, path) from error


def _new_beside(path: Path) -> tuple[int, Path]:
    """Make a file that nobody else has, under a name that no document has."""
    for number in count():
        name = path.with_name(f".{path.name[:80]}.{os.getpid()}-{number}")
        with contextlib.suppress(FileExistsError):
            flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            return os.open(name, flags, 0o600), name
    raise AssertionError  # the numbers never end


def private_folder(path: Path) -> None:
    """Make the folder and its missing parents, for the user alone (0700); one that is there stays.

    Raises:
        StoreUnavailableError: it cannot be made, or something else stands there.
    """
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    try:
        for folder in reversed(missing):
            folder.mkdir(mode=0o700, exist_ok=True)
            sync_folder(folder.parent)
        os.close(os.open(path, os.O_RDONLY | os.O_DIRECTORY))
    except OSError as error:
        raise store_error(error, path) from error


def sync_file(descriptor: int) -> None:
    """Return once the file's bytes are on the device; a failure is never tried again."""
    if _FULL_SYNC is not None:
        fcntl.fcntl(descriptor, _FULL_SYNC)
    else:
        os.fsync(descriptor)


def sync_folder(path: Path) -> None:
    """Return once the folder's entries are on the device."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def store_error(error: OSError, path: Path) -> StoreError:
    """Say in our words why this path cannot be written."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
        return StoreFullError(
            f"There is no room to write {path}: {error.strerror}.",
            next="Free some space, try again.",
        )
    return StoreUnavailableError(
        f"{path} cannot be written: {error.strerror}.", next="Check its owner and permissions."
    )


def _parts(relative: str) -> list[str]:
    """Split a plain relative path, or refuse it."""
    parts = relative.split("/") if relative else []
    if "\0" in relative or any(part in {"", ".", ".."} for part in parts):
        _refuse(relative, "must be plain and relative", "Leave out '..', '.', and leading slashes.")
    return parts


def _opened(name: str, flags: int, folder: int | None, relative: str) -> int:
    try:
        return os.open(name, flags | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError as error:
        raise NotFoundError(
            f"There is no {relative!r} here.", next="Check the name and the folder."
        ) from error
    except OSError as error:
        rule = f"must be reachable without links and readable ({error.strerror})"
        _refuse(relative, rule, "Give the real path, or change its permissions.", error)


def _refuse(relative: str, rule: str, remedy: str, cause: OSError | None = None) -> NoReturn:
    fault = Fault(field="path", rule=rule, got=repr(relative), remedy=remedy)
    raise InputError(f"{relative!r} {rule}.", faults=(fault,), next=remedy) from cause
