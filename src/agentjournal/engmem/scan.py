"""Which files of a store may be documents, found without reading one."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, NamedTuple

from agentjournal.errors import AgentJournalError, InputError, NotFoundError
from agentjournal.frozen import frozen
from agentjournal.system.files import folder_inside

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "SESSIONS",
    "Failure",
    "Scan",
    "Signature",
    "look",
    "scan",
    "signature_of",
    "sorted_scan",
    "why",
]

SESSIONS = "sessions"
_LINKED = frozenset({errno.ELOOP, errno.EMLINK, errno.ENOTDIR})


class Signature(NamedTuple):
    """What changes when a file does: times in nanoseconds, bytes, and which file it is."""

    modified: int
    changed: int
    size: int
    inode: int


@frozen
class Failure:
    """A file that could not be read as a document, and why."""

    file: str
    reason: str


@frozen
class Scan:
    """The names of what may be documents, sorted, with their signatures.

    `failures` are files whose names are no UTF-8: they are told, never read. `error` says why the
    folder could not be listed: then nobody knows how many there are.
    """

    files: dict[str, Signature]
    failures: tuple[Failure, ...] = ()
    error: str | None = None


def scan(root: Path) -> Scan:
    """List what may be documents: names that end in `.md`, links and pipes included.

    Raises:
        NotFoundError: there is no folder `sessions`.
    """
    folder = root / SESSIONS
    try:
        found, _ = look(root)
        return sorted_scan({name: Signature(*numbers) for name, *numbers in found})
    except NotFoundError as error:
        raise NotFoundError(
            f"store not found: {folder} does not exist (run `engmem install` to create the store, "
            "or `engmem store show` to see which setting chose this path)"
        ) from error
    except InputError as error:
        return Scan({}, error=_unlisted(folder, why(SESSIONS, error)))
    except OSError as error:
        return Scan({}, error=_unlisted(folder, error.strerror or "unknown"))


def look(root: Path) -> tuple[list[tuple[str, int, int, int, int]], list[str]]:
    """List the same names with the numbers of their signatures, and the folders beside them.

    Both are unsorted: this is done before every search, as fast as it goes.

    Raises:
        NotFoundError: there is no folder `sessions`.
        InputError: it passes a link, or is no folder.
        OSError: it cannot be listed.
    """
    found, folders = [], []
    with folder_inside(root, SESSIONS) as descriptor, os.scandir(descriptor) as entries:
        for entry in entries:
            name = entry.name
            if name[0] == ".":
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append(name)
            if name.endswith(".md"):
                each = entry.stat(follow_symlinks=False)
                found.append((name, each.st_mtime_ns, each.st_ctime_ns, each.st_size, each.st_ino))
    return found, folders


def signature_of(found: os.stat_result) -> Signature:
    """Give the signature of a file that was looked at."""
    return Signature(found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)


def sorted_scan(found: dict[str, Signature]) -> Scan:
    """Sort what was looked at; names that are no UTF-8 are told, never read."""
    odd = sorted(name for name in found if not _is_text(name))
    told = (os.fsencode(name).decode(errors="backslashreplace") for name in odd)
    return Scan(
        {name: found[name] for name in sorted(found.keys() - set(odd))},
        tuple(Failure(name, "its name is not UTF-8") for name in told),
    )


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _unlisted(folder: Path, reason: str) -> str:
    return (
        f"{folder}: cannot list directory ({reason}) — the number of documents normally found "
        "here is unknown, not zero"
    )


def why(relative: str, error: AgentJournalError) -> str:
    """Say why a path was not opened, in the words that other tools use for links."""
    cause = error.__cause__
    if isinstance(cause, OSError) and cause.errno in _LINKED:
        return (
            f"{relative} passes through a link or junction -- engmem reads only files inside the "
            "store, so nothing behind it was read"
        )
    if isinstance(cause, OSError):
        return cause.strerror or "it cannot be read"
    return "Not a regular file" if isinstance(error, InputError) else error.message
