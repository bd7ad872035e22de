"""Layout v2 as a render that grows with each turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.journal.growing import GrowingText
from agentjournal.journal.segment import SEGMENT_BYTES, Segment
from agentjournal.journal.tiered_wire import INTRODUCTION, TURN_END, distilled_text, entry_piece

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.journal.distilled import Distilled
    from agentjournal.journal.entry import Entry


class TieredRendering:
    """An introduction, a segment for each distilled span, then the turns.

    A segment of turns closes with the turn that brings it to 1 KiB, so that an API which matches
    blocks finds all but the newest turn.
    """

    def __init__(self, spans: Sequence[Distilled]) -> None:
        texts = [INTRODUCTION, *map(distilled_text, spans)]
        self._whole = GrowingText("".join(texts))
        self._closed = [Segment("memory", text, is_closed=True) for text in texts]
        self._open = GrowingText()
        self._epoch: int | None = None
        self.is_empty = not spans

    @property
    def size(self) -> int:
        """Give the length of the render in bytes."""
        return self._whole.size

    def add(self, entry: Entry) -> None:
        """Put one entry below the others."""
        self.is_empty = False
        self._grow(entry_piece(entry, self._epoch))
        self._epoch = entry.epoch

    def end_turn(self) -> None:
        """End the turn that the entries since the last call make, and with it a full segment."""
        self._grow(TURN_END)
        if self._open.size >= SEGMENT_BYTES:
            self._closed.append(Segment("lived", self._open.read(), is_closed=True))
            self._open = GrowingText()

    def text(self) -> str:
        """Give the whole render."""
        return self._whole.read()

    def segments(self) -> tuple[Segment, ...]:
        """Give the render in parts; joined they are the render."""
        if not self._open.size:
            return tuple(self._closed)
        return (*self._closed, Segment("lived", self._open.read(), is_closed=False))

    def _grow(self, piece: str) -> None:
        self._whole.add(piece)
        self._open.add(piece)
