"""A text that only grows: the reason why a turn costs its own length and not the history's."""

from __future__ import annotations

from agentjournal.journal.wire import byte_length


class GrowingText:
    """A text that grows at its end: adding costs what is added, reading at most one copy."""

    def __init__(self, text: str = "") -> None:
        self._pieces = [text]
        self.size = byte_length(text)

    def add(self, piece: str) -> None:
        """Put a piece at the end; `size` stays the length in bytes."""
        self._pieces.append(piece)
        self.size += byte_length(piece)

    def read(self) -> str:
        """Give the whole text; until it grows again the same object comes back."""
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0]
