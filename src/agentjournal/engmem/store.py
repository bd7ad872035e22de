"""A folder of documents, read without following a link and without waiting on a pipe."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from agentjournal.engmem.document import Document, read_document
from agentjournal.engmem.front_matter import Refusal
from agentjournal.errors import AgentJournalError, InputError, NotFoundError
from agentjournal.system.files import folder_inside, open_inside

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Failure", "FileRead", "Scan", "Signature", "Store", "read_file", "read_store", "scan"]

SESSIONS = "sessions"
BYTES = 2 * 1024 * 1024  # of one document
_LINKED = frozenset({errno.ELOOP, errno.EMLINK, errno.ENOTDIR})


class Signature(NamedTuple):
    """What changes when a file does: times in nanoseconds, bytes, and which file it is."""

    modified: int
    changed: int
    size: int
    inode: int


@dataclass(frozen=True)
class Failure:
    """A file that could not be read as a document, and why."""

    file: str
    reason: str


@dataclass(frozen=True)
class FileRead:
    """What one file held, and the signature it had just before it was read, where it has one."""

    found: Document | Failure
    signature: Signature | None


@dataclass(frozen=True)
class Scan:
    """The names of what may be documents, sorted, with their signatures.

    `failures` are files whose names are no UTF-8: they are told, never read. `error` says why the
    folder could not be listed: then nobody knows how many there are.
    """

    files: dict[str, Signature]
    failures: tuple[Failure, ...] = ()
    error: str | None = None


@dataclass(frozen=True)
class Store:
    """Every document of a store, by file name, and what could not be read."""

    root: Path
    documents: tuple[Document, ...]
    failures: tuple[Failure, ...]


def read_store(root: Path) -> Store:
    """Read `sessions/*.md`: each file alone, so that one that fails hides no other.

    Files whose name begins with a dot are no documents. The root itself may be a link, nothing
    below it.

    Raises:
        NotFoundError: there is no folder `sessions`.
        InputError: it is a link, or cannot be listed.
    """
    listed = scan(root)
    if listed.error is not None:
        raise InputError(listed.error, next="Make it a folder that can be read.")
    documents: dict[str, Document] = {}
    failures = [*listed.failures]
    for file in listed.files:
        match read_file(root, file).found:
            case Failure() as failure:
                failures.append(failure)
            case Document(id=known) as document if known in documents:
                failures.append(duplicate(documents[known].file, document))
            case document:
                documents[document.id] = document
    return Store(root, tuple(documents.values()), tuple(failures))


def scan(root: Path) -> Scan:
    """List what may be documents: names that end in `.md`, links and pipes included.

    Raises:
        NotFoundError: there is no folder `sessions`.
    """
    folder = root / SESSIONS
    try:
        with folder_inside(root, SESSIONS) as descriptor, os.scandir(descriptor) as entries:
            found = {
                entry.name: _signature(entry.stat(follow_symlinks=False))
                for entry in entries
                if entry.name.endswith(".md") and not entry.name.startswith(".")
            }
        return _sorted(found)
    except NotFoundError as error:
        raise NotFoundError(
            f"store not found: {folder} does not exist (run `engmem install` to create the store, "
            "or `engmem store show` to see which setting chose this path)"
        ) from error
    except InputError as error:
        return Scan({}, error=_unlisted(folder, _why(SESSIONS, error)))
    except OSError as error:
        return Scan({}, error=_unlisted(folder, error.strerror or "unknown"))


def read_file(root: Path, file: str) -> FileRead:
    """Read one file of `sessions/` as a document of at most 2 MB; what fails says why."""
    signature: Signature | None = None
    try:
        descriptor = open_inside(root, f"{SESSIONS}/{file}")
        with os.fdopen(descriptor, "rb") as opened:
            signature = _signature(os.fstat(descriptor))
            data = opened.read(BYTES + 1)
    except AgentJournalError as error:
        return FileRead(Failure(file, _why(f"{SESSIONS}/{file}", error)), signature)
    except OSError as error:
        return FileRead(Failure(file, error.strerror or "it cannot be read"), signature)
    if len(data) > BYTES:
        reason = f"the document has more than {BYTES // 1024**2} MB and was not read"
        return FileRead(Failure(file, reason), signature)
    match read_document(file, data, _day(signature)):
        case Refusal(reason):
            return FileRead(Failure(file, reason), signature)
        case document:
            return FileRead(document, signature)


def duplicate(first: str, document: Document) -> Failure:
    """Say that a document's id is taken by a file whose name comes earlier."""
    return Failure(document.file, f"duplicate id {document.id!r} in {first} and {document.file}")


def _sorted(found: dict[str, Signature]) -> Scan:
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


def _signature(found: os.stat_result) -> Signature:
    return Signature(found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)


def _day(signature: Signature) -> str:
    """Give the day of the last change, as this machine's people count days."""
    try:
        return datetime.fromtimestamp(signature.modified / 1e9).astimezone().date().isoformat()
    except (OverflowError, ValueError, OSError):
        return ""


def _unlisted(folder: Path, reason: str) -> str:
    return (
        f"{folder}: cannot list directory ({reason}) — the number of documents normally found "
        "here is unknown, not zero"
    )


def _why(relative: str, error: AgentJournalError) -> str:
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
