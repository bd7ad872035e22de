"""What reading asks of a store's index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agentjournal.engmem.header import Header
    from agentjournal.engmem.store import Failure

__all__ = ["Shelf"]


class Shelf(Protocol):
    """Knows the documents of a store and which files are none: its index does."""

    @property
    def failures(self) -> Sequence[Failure]:
        """Give the files that could not be read as documents."""
        ...

    def header(self, id_: str, /) -> Header | None:
        """Give what is known of a document, None where no document has that id."""
        ...

    def headers(self) -> Iterable[Header]:
        """Give what is known of every document."""
        ...
