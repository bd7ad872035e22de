"""What the entries of an index add up to, kept up with each change so that nobody counts again."""

from __future__ import annotations

import marshal

from agentjournal.engmem.index.parts import MARSHAL, unpacked
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from agentjournal.engmem.index.entry import Entry
    from agentjournal.engmem.index.head import Recent

__all__ = ["Tally"]


class Tally:
    """Counts of documents, and by file name those of which more than a count is told.

    `days` counts documents by date; `sections` and `words` are of what is ranked, `bytes` of all
    records. `failed` gives a reason, and the id where that is another file's; `degraded` what was
    lost; `recent` are documents that the postings lack.
    """

    def __init__(self) -> None:
        self.kinds: dict[str, int] = {}
        self.days: dict[str, int] = {}
        self.partial = self.sections = self.words = self.bytes = 0
        self.failed: dict[str, tuple[str, str]] = {}
        self.degraded: dict[str, tuple[str, ...]] = {}
        self.recent: dict[str, Recent] = {}

    @classmethod
    def of(cls, data: bytes) -> Tally:
        """Read what `data` gave."""
        tally = cls()
        vars(tally).update(unpacked(data))  # type: ignore[call-overload]  # checked by the checksum of its part
        return tally

    @property
    def data(self) -> bytes:
        """Write it down."""
        return marshal.dumps(vars(self), MARSHAL)

    @property
    def total(self) -> int:
        """Count the documents."""
        return sum(self.kinds.values())

    def add(self, file: str, entry: Entry) -> None:
        """Count an entry in."""
        if not entry.is_document:
            self.failed[file] = entry.reason, entry.id if entry.kind == "duplicate" else ""
            return
        self._count(entry, 1)
        if entry.faults:
            self.degraded[file] = entry.faults
        if not entry.is_posted:
            self.recent[file] = entry.offset, entry.length, entry.id, not entry.is_ranked

    def remove(self, file: str, entry: Entry) -> None:
        """Count an entry out that was counted in."""
        if entry.is_document:
            self._count(entry, -1)
        for each in (self.failed, self.degraded, self.recent):
            each.pop(file, None)

    def _count(self, entry: Entry, by: int) -> None:
        _counted(self.kinds, entry.kind, by)
        _counted(self.days, entry.date, by)
        self.partial += by * entry.is_partial
        self.bytes += by * entry.length
        if entry.is_ranked:
            self.sections += by * entry.sections
            self.words += by * entry.words


def _counted(counts: dict[str, int], name: str, by: int) -> None:
    counts[name] = counts.get(name, 0) + by
    if not counts[name]:
        del counts[name]
