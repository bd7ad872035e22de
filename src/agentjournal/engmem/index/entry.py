"""What an index knows of one file: its signature, and what was found in it."""

from __future__ import annotations

from agentjournal.engmem.index.records import Place
from agentjournal.engmem.scan import Signature
from agentjournal.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Literal

    from agentjournal.engmem.header import Header

    Kind = Literal["active", "superseded", "draft", "failed", "duplicate"]

__all__ = ["Entry", "document_entry", "failed_entry"]


class Entry(NamedTuple):
    """One file. Those that failed, or whose id is taken, have a reason and no record.

    `is_posted` says that its words stand in the postings, not only in what is added to them.
    """

    modified: int
    changed: int
    size: int
    inode: int
    kind: Kind
    id: str = ""
    reason: str = ""
    offset: int = -1
    length: int = 0
    is_posted: bool = False
    sections: int = 0
    words: int = 0
    date: str = ""
    version: str = ""
    is_partial: bool = False
    faults: tuple[str, ...] = ()

    @property
    def signature(self) -> Signature:
        """Give what the file looked like when it was read."""
        return Signature(self.modified, self.changed, self.size, self.inode)

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


def failed_entry(signature: Signature, reason: str, id_: str = "") -> Entry:
    """Note a file that is no document; with an id, that it is another file's."""
    return Entry(*signature, kind="duplicate" if id_ else "failed", id=id_, reason=reason)


def document_entry(
    signature: Signature, header: Header, place: Place, extent: tuple[int, int]
) -> Entry:
    """Note a document; `extent` counts its sections and their words."""
    sections, words = extent
    return Entry(
        *signature,
        kind=header.status,
        id=header.id,
        offset=place.offset,
        length=place.length,
        sections=sections,
        words=words,
        date=header.date,
        version=header.version,
        is_partial=header.is_partial,
        faults=header.faults,
    )
