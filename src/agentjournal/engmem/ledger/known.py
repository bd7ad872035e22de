"""What a ledger asks of a store: whether a document has an id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from agentjournal.engmem.header import Header

__all__ = ["Known"]


class Known(Protocol):
    """Knows the documents of a store by their ids: its index does."""

    def header(self, id_: str, /) -> Header | None:
        """Give what is known of a document, None where no document has that id."""
        ...
