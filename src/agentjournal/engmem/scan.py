"""Which files of a store may be documents, found without reading one."""

from __future__ import annotations

import errno
import os
import stat
import struct
from functools import partial

from agentjournal.errors import AgentJournalError, InputError, NotFoundError
from agentjournal.frozen import frozen
from agentjournal.system.files import folder_inside
from agentjournal.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "SESSIONS",
    "Failure",
    "Looks",
    "Scan",
    "Signature",
    "look",
    "scan",
    "signature_of",
    "sorted_scan",
    "why",
]

SESSIONS = "sessions"
_NUMBERS = struct.Struct("<qqqQ")
_GONE = _NUMBERS.pack(0, 0, 0, 0)
_LINKED = frozenset({errno.ELOOP, errno.EMLINK, errno.ENOTDIR})


class Signature(NamedTuple):
    """What changes when a file does: times in nanoseconds, bytes, and which file it is."""

    modified: int
    changed: int
    size: int
    inode: int

    @property
    def packed(self) -> bytes:
        """Write it down as `Looks.numbers` holds it."""
        return _NUMBERS.pack(*self)


class Looks(NamedTuple):
    """The names of what may be documents, the numbers of their signatures, and folders."""

    names: list[str]
    numbers: bytes
    folders: list[str]

    def files(self) -> dict[str, Signature]:
        """Give the signature of each name."""
        numbers = map(partial(tuple.__new__, Signature), _NUMBERS.iter_unpack(self.numbers))
        return dict(zip(self.names, numbers, strict=True))

    def packed(self) -> dict[str, bytes]:
        """Give the numbers of each name as they stand: for many files, that is cheap."""
        numbers, width = self.numbers, _NUMBERS.size
        each = (numbers[at : at + width] for at in range(0, len(numbers), width))
        return dict(zip(self.names, each, strict=True))


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
        return sorted_scan(look(root).files())
    except NotFoundError as error:
        raise NotFoundError(
            f"store not found: {folder} does not exist (run `engmem install` to create the store, "
            "or `engmem store show` to see which setting chose this path)"
        ) from error
    except InputError as error:
        return Scan({}, error=_unlisted(folder, why(SESSIONS, error)))
    except OSError as error:
        return Scan({}, error=_unlisted(folder, error.strerror or "unknown"))


def look(root: Path) -> Looks:
    """List the same names with the numbers of their signatures, and the folders beside them.

    Both are unsorted: this is done before every search, as fast as it goes.

    Raises:
        NotFoundError: there is no folder `sessions`.
        InputError: it passes a link, or is no folder.
        OSError: it cannot be listed.
    """
    with folder_inside(root, SESSIONS) as descriptor:
        listed = os.listdir(descriptor)  # noqa: PTH208 - names
        names = [name for name in listed if name.endswith(".md") and name[0] != "."]
        numbers, ask, written = bytearray(), os.lstat, _NUMBERS.pack
        for name in names:  # written down one by one: memory for all at once costs a new process
            try:
                seen = ask(name, dir_fd=descriptor)
            except FileNotFoundError:  # it went away this moment: the next look does not see it
                numbers += _GONE
                continue
            numbers += written(seen.st_mtime_ns, seen.st_ctime_ns, seen.st_size, seen.st_ino)
        others = listed if len(names) < len(listed) else []
        folders = [name for name in others if _is_folder(name, descriptor)]
    return Looks(names, bytes(numbers), folders)


def _is_folder(name: str, descriptor: int) -> bool:
    if name.endswith(".md") or name[0] == ".":
        return False
    try:
        return stat.S_ISDIR(os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return False


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
