"""Layout v1 as a render that grows with each entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.journal.growing import GrowingText
from agentjournal.journal.segment import SEGMENT_BYTES, Segment
from agentjournal.journal.wire import (
    CORE_HEADER,
    EMPTY_JOURNAL,
    LEDGER_HEADER,
    LIVED_HEADER,
    entry_line,
    epoch_line,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agentjournal.journal.entry import Entry

_MIDTURN_BYTES = 4 * SEGMENT_BYTES
_NO_EPOCH = -1  # what the wire format starts from: a first epoch of -1 has no header


def render_entries(entries: Iterable[Entry]) -> str:
    """Render entries alone, as a consolidator gets them; no entries give an empty text."""
    lines: list[str] = []
    epoch = _NO_EPOCH
    for entry in entries:
        lines.append(_piece(entry, epoch))
        epoch = entry.epoch
    return "".join(lines).removeprefix("\n").removeprefix("\n")


class Rendering:
    """The render of one generation: a head that stays, and entries that are added below.

    Where segments close depends on the entries alone, so that a restored journal has the same ones.
    """

    def __init__(self, core: Sequence[str], ledger: Sequence[str]) -> None:
        self.is_empty = not core and not ledger
        self._start(EMPTY_JOURNAL if self.is_empty else _head(core, ledger))

    def _start(self, head: str) -> None:
        self._head = head
        self._whole = GrowingText(head)
        self._closed: list[Segment] = []
        self._open = GrowingText()
        self._last: Entry | None = None

    @property
    def size(self) -> int:
        """Give the length of the render in bytes."""
        return self._whole.size

    def add(self, entry: Entry) -> None:
        """Put one entry below the others."""
        if self.is_empty:
            self.is_empty = False
            self._start(LIVED_HEADER)
        if self._open.size >= self._room_before(entry):
            self._close()
        piece = _piece(entry, self._last.epoch if self._last else _NO_EPOCH)
        self._whole.add(piece)
        self._open.add(piece)
        self._last = entry
        if _is_own(entry) and self._open.size >= SEGMENT_BYTES:
            self._close()  # whatever comes next begins a turn

    def end_turn(self) -> None:
        """Say that a turn has ended; in v1 that follows from the entries alone."""

    def text(self) -> str:
        """Give the whole render."""
        return self._whole.read()

    def segments(self) -> tuple[Segment, ...]:
        """Give the render in parts; joined they are the render."""
        head = Segment("memory", self._head, is_closed=not self.is_empty)
        if not self._open.size:
            return (head, *self._closed)
        return (head, *self._closed, Segment("lived", self._open.read(), is_closed=False))

    def _close(self) -> None:
        self._closed.append(Segment("lived", self._open.read(), is_closed=True))
        self._open = GrowingText()

    def _room_before(self, entry: Entry) -> int:
        """Give the size at which the open segment closes: early at a turn's end, late inside."""
        last = self._last
        is_turn_begun = last is None or last.epoch != entry.epoch or _is_own(last)
        return SEGMENT_BYTES if is_turn_begun else _MIDTURN_BYTES


def _is_own(entry: Entry) -> bool:
    return entry.kind not in {"situation", "heard"}


def _piece(entry: Entry, epoch_before: int) -> str:
    line = entry_line(entry.kind, entry.speaker, entry.text)
    return f"\n{line}" if entry.epoch == epoch_before else f"\n\n{epoch_line(entry.epoch)}\n{line}"


def _head(core: Sequence[str], ledger: Sequence[str]) -> str:
    lines: list[str] = []
    if core:
        lines.append(CORE_HEADER)
        for memory in core:
            lines += [memory, ""]
    if ledger:
        lines += [LEDGER_HEADER, *ledger, ""]
    return "\n".join([*lines, LIVED_HEADER])
