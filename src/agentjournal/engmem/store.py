"""A folder of documents, read without following a link and without waiting on a pipe."""

from __future__ import annotations

import os
from datetime import datetime

from agentjournal.engmem.document import Document, read_document
from agentjournal.engmem.front_matter import Refusal
from agentjournal.engmem.scan import SESSIONS, Failure, Scan, Signature, scan, signature_of, why
from agentjournal.errors import AgentJournalError, InputError
from agentjournal.frozen import frozen
from agentjournal.system.files import open_inside
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "BYTES",
    "SESSIONS",
    "Failure",
    "FileRead",
    "Scan",
    "Signature",
    "Store",
    "duplicate",
    "read_file",
    "read_store",
    "scan",
]

BYTES = 2 * 1024 * 1024  # of one document


@frozen
class FileRead:
    """What one file held, and the signature it had just before it was read, where it has one."""

    found: Document | Failure
    signature: Signature | None


@frozen
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
        raise InputError(f"{listed.error}.", next="Make it a folder that can be read.")
    documents: dict[str, Document] = {}
    failures = [*listed.failures]
    for file in listed.files:
        match read_file(root, file).found:
            case Failure() as failure:
                failures.append(failure)
            case Document(id=known) if known in documents:
                failures.append(duplicate(documents[known].file, known, file))
            case document:
                documents[document.id] = document
    return Store(root, tuple(documents.values()), tuple(failures))


def read_file(root: Path, file: str) -> FileRead:
    """Read one file of `sessions/` as a document of at most 2 MB; what fails says why."""
    signature: Signature | None = None
    try:
        descriptor = open_inside(root, f"{SESSIONS}/{file}")
        with os.fdopen(descriptor, "rb") as opened:
            signature = signature_of(os.fstat(descriptor))
            data = opened.read(BYTES + 1)
    except AgentJournalError as error:
        return FileRead(Failure(file, why(f"{SESSIONS}/{file}", error)), signature)
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


def duplicate(first: str, id_: str, file: str) -> Failure:
    """Say that a document's id is taken by a file whose name comes earlier."""
    return Failure(file, f"duplicate id {id_!r} in {first} and {file}")


def _day(signature: Signature) -> str:
    """Give the day of the last change, as this machine's people count days."""
    try:
        return datetime.fromtimestamp(signature.modified / 1e9).astimezone().date().isoformat()
    except (OverflowError, ValueError, OSError):
        return ""
