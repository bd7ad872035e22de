"""Proposals for the documents of a store, and the fields written once somebody agreed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.engmem.backfill.extended import extended, stated_in
from agentjournal.engmem.backfill.proposal import Proposal, propose
from agentjournal.engmem.document import version_of
from agentjournal.engmem.reading.found import find_document
from agentjournal.engmem.scan import SESSIONS
from agentjournal.engmem.writing.commit import commit_save
from agentjournal.engmem.writing.folder import checked_size, read_current, sessions_of
from agentjournal.engmem.writing.lock import locked
from agentjournal.engmem.writing.placing import put_over
from agentjournal.engmem.writing.refusal import WriteRefused
from agentjournal.errors import AgentJournalError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agentjournal.engmem.reading.shelf import Shelf

__all__ = ["Failed", "Fillable", "fill", "fillable", "fillable_all"]


@dataclass(frozen=True, kw_only=True)
class Fillable:
    """A proposal, and the version of the document that it was made from."""

    proposal: Proposal
    version: str


@dataclass(frozen=True)
class Failed:
    """A document that cannot be proposed for, or be written, and why."""

    id: str
    reason: str


def fillable(root: Path, shelf: Shelf, id_: str) -> Fillable | None:
    """Propose for one document; None where its spine is complete.

    Raises:
        NotFoundError: no document has that id.
        InputError: it cannot be read.
    """
    found = find_document(root, shelf, id_)
    proposal = propose(found.document, stated_in(found.data))
    return Fillable(proposal=proposal, version=version_of(found.data)) if proposal else None


def fillable_all(root: Path, shelf: Shelf) -> Iterator[Fillable | Failed]:
    """Propose for every document whose spine is incomplete, by file name."""
    for header in shelf.headers():
        if header.is_partial:
            try:
                found = fillable(root, shelf, header.id)
            except AgentJournalError as error:
                yield Failed(header.id, error.message)
            else:
                if found:
                    yield found


def fill(root: Path, fillable: Fillable) -> str | None:
    """Write the proposed fields; the body stays as it is, byte for byte.

    In a store that commits its saves this is one; the reason is given where that failed.

    Raises:
        WriteRefused: the file changed since, is a link, is being written by somebody else, or its
            front matter cannot be added to.
        StoreError: it cannot be written.
    """
    proposal = fillable.proposal
    stem = proposal.file.removesuffix(".md")
    with sessions_of(root) as folder, locked(folder, stem):
        current = read_current(root, stem)
        if current.version != fillable.version:
            raise WriteRefused(
                f"{proposal.file} changed since it was proposed for — nothing was written.",
                next="Run the command again.",
            )
        data = extended(proposal.file, current.data, proposal.fields)
        put_over(folder, proposal.file, checked_size(stem, data), current.mode)
    return commit_save(root, f"{SESSIONS}/{proposal.file}", f"engmem: {stem} backfilled")
