"""What an index takes from one file: plain values, which another process can hand over."""

from __future__ import annotations

from agentjournal.engmem.document import Document
from agentjournal.engmem.index.digest import header_of, passages_of
from agentjournal.engmem.index.entry import document_entry, failed_entry
from agentjournal.engmem.index.records import record
from agentjournal.engmem.index.said import said
from agentjournal.engmem.ranking.encoded import Spellings, encode, extent, terms
from agentjournal.engmem.store import read_file
from agentjournal.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.engmem.index.entry import Entry
    from agentjournal.engmem.index.said import Said

__all__ = ["UNSEEN", "Known", "Reader", "Reading"]

SPELLED = 40_000  # runs of letters whose spelling is remembered while documents are read
UNSEEN = (0, 0, 0, 2**64 - 1)  # of a file that could not be looked at: no file has this inode

Known = tuple[str, str, str] | None  # version, id and date of the document that stood there


class Reading(NamedTuple):
    """One file: its signature, and what is noted of it but for the place of its record.

    A document that is known, of which only the file's times changed, has no record. `said` is what
    the postings take, where it was asked for.
    """

    signature: tuple[int, ...]
    entry: Entry
    record: bytes = b""
    said: Said = ()


class Reader:
    """Reads the files of one store; `is_posting` says that their words go to the postings."""

    def __init__(self, root: Path, *, is_posting: bool) -> None:
        self._root = root
        self._is_posting = is_posting
        self._spellings = Spellings()

    def __call__(self, file: str, known: Known) -> Reading:
        """Read one file."""
        read = read_file(self._root, file)
        signature = tuple(read.signature or UNSEEN)
        found = read.found
        if not isinstance(found, Document):
            return Reading(signature, failed_entry(found.reason))
        if known == (found.version, found.id, found.date):
            return Reading(signature, document_entry(found, (0, 0)))
        return self._encoded(signature, found)

    def _encoded(self, signature: tuple[int, ...], document: Document) -> Reading:
        if len(self._spellings) > SPELLED:
            self._spellings.clear()
        encoded = encode(document, self._spellings)
        entry = document_entry(document, extent(encoded))
        return Reading(
            signature,
            entry,
            record(header_of(document), encoded, passages_of(document)),
            said(terms(encoded), is_draft=not entry.is_ranked) if self._is_posting else (),
        )
