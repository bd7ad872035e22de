"""A folder of documents, read without following a link and without waiting on a pipe."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.engmem.document import Document, read_document
from agentjournal.engmem.front_matter import Refusal
from agentjournal.errors import AgentJournalError, NotFoundError
from agentjournal.system.files import list_inside, read_inside

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Failure", "Store", "read_store"]

SESSIONS = "sessions"
BYTES = 2 * 1024 * 1024  # of one document


@dataclass(frozen=True)
class Failure:
    """A file that could not be read as a document, and why."""

    file: str
    reason: str


@dataclass(frozen=True)
class Store:
    """Every document of a store, by file name, and what could not be read."""

    root: Path
    documents: tuple[Document, ...]
    failures: tuple[Failure, ...]


def read_store(root: Path) -> Store:
    """Read `sessions/*.md`: each file alone, so that one that fails hides no other.

    Hidden files and folders are no documents. The root itself may be a link, nothing below it.

    Raises:
        NotFoundError: there is no folder `sessions`.
        InputError: it is a link, or cannot be listed.
    """
    documents: dict[str, Document] = {}
    failures: list[Failure] = []
    for file in _names(root):
        match _read(root, file):
            case Refusal(reason):
                failures.append(Failure(file, reason))
            case Document(id=known) as document if known in documents:
                other = documents[known].file
                failures.append(Failure(file, f"its id {document.id!r} is that of {other}"))
            case document:
                documents[document.id] = document
    return Store(root, tuple(documents.values()), tuple(failures))


def _names(root: Path) -> list[str]:
    """List what may be documents, links and pipes included: they are refused by name."""
    try:
        folders = list_inside(root, SESSIONS).folders
    except NotFoundError as error:
        raise NotFoundError(
            f"store not found: {root / SESSIONS} does not exist.",
            next="Name another store with --store or ENGMEM_HOME, or create this folder.",
        ) from error
    names = os.listdir(root / SESSIONS)  # noqa: PTH208 - names only; each is opened from the root
    return sorted(
        name
        for name in names
        if name.endswith(".md") and not name.startswith(".") and name not in folders
    )


def _read(root: Path, file: str) -> Document | Refusal:
    try:
        return read_document(file, read_inside(root, f"{SESSIONS}/{file}", BYTES))
    except AgentJournalError as error:
        return Refusal(error.message)
