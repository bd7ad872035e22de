"""Which file holds an id, worked out once somebody asks."""

from __future__ import annotations

from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from agentjournal.engmem.index.entries import Entries

__all__ = ["Owners"]


class Owners:
    """Follows the entries of an index: a document that only changed asks for nobody's id."""

    def __init__(self, entries: Entries) -> None:
        self._entries = entries
        self._files: dict[str, str] | None = None

    def of(self, id_: str) -> str | None:
        """Give the file whose document has this id."""
        if self._files is None:
            self._files = {entry.id: file for file, entry in self._entries.documents()}
        return self._files.get(id_)

    def add(self, id_: str, file: str) -> None:
        """Note whose it is."""
        if self._files is not None:
            self._files[id_] = file

    def remove(self, id_: str) -> None:
        """Note that it is nobody's."""
        if self._files is not None:
            del self._files[id_]
