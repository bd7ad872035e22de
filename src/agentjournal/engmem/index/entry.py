"""What an index knows of one file: what was found in it, and where that is kept."""

from __future__ import annotations

from agentjournal.engmem.index.records import Place
from agentjournal.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Literal

    from agentjournal.engmem.document import Document

    Kind = Literal["active", "superseded", "draft", "failed", "duplicate"]

__all__ = ["Entry", "document_entry", "failed_entry"]


class Entry(NamedTuple):
    """One file. Those that failed, or whose id is taken, have a reason and no record.

    `is_posted` says that its words stand in the postings, not only in what is added to them.
    """

    offset: int = -1
    length: int = 0
    kind: Kind = "failed"
    id: str = ""
    reason: str = ""
    is_posted: bool = False
    sections: int = 0
    words: int = 0
    date: str = ""
    version: str = ""
    is_partial: bool = False
    faults: tuple[str, ...] = ()

    @property
    def place(self) -> Place:
        """Give where its record stands."""
        return Place(self.offset, self.length)

    @property
    def is_document(self) -> bool:
        """Say whether it was read and its id is its own."""
        return self.offset >= 0

    @property
    def is_ranked(self) -> bool:
        """Say whether searches rank it: drafts are counted only."""
        return self.kind in ("active", "superseded")


def failed_entry(reason: str, id_: str = "") -> Entry:
    """Note a file that is no document; with an id, that it is another file's."""
    return Entry(kind="duplicate" if id_ else "failed", id=id_, reason=reason)


def document_entry(document: Document, extent: tuple[int, int]) -> Entry:
    """Note a document that has no place yet; `extent` counts its sections and their words."""
    sections, words = extent
    return Entry(
        kind=document.status,
        id=document.id,
        sections=sections,
        words=words,
        date=document.date,
        version=document.version,
        is_partial=document.is_partial,
        faults=document.faults,
    )
