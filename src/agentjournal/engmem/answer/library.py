"""What an answer asks an index for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agentjournal.engmem.header import Header, Passage
    from agentjournal.engmem.index.counts import Counts
    from agentjournal.engmem.ranking.rank import Hit
    from agentjournal.engmem.store import Failure
    from agentjournal.engmem.strays import Strays

__all__ = ["Library", "Place"]


class Place(Protocol):
    """Says which documents belong to what is searched."""

    def admits(self, header: Header) -> bool:
        """Say whether the document belongs here."""
        ...


class Library(Protocol):
    """The documents of a store, found by words and by id."""

    @property
    def counts(self) -> Counts:
        """Give how many documents there are of which kind."""
        ...

    @property
    def failures(self) -> Sequence[Failure]:
        """Give the files that were not loaded."""
        ...

    @property
    def degraded(self) -> Sequence[tuple[str, Sequence[str]]]:
        """Give the files that were read with faults, and those."""
        ...

    @property
    def strays(self) -> Strays:
        """Give the Markdown that no search looks at."""
        ...

    @property
    def scan_error(self) -> str | None:
        """Say why the documents could not be listed."""
        ...

    def header(self, id: str, /) -> Header | None:  # noqa: A002 - its name
        """Give a document by its id."""
        ...

    def headers(self) -> Iterator[Header]:
        """Give every document, drafts too."""
        ...

    def passages(self, id: str, /) -> Sequence[Passage]:  # noqa: A002 - its name
        """Give the sections of a document."""
        ...

    def search(
        self, question: str, *, scope: Place | None = None, names: Sequence[str] = ()
    ) -> list[Hit]:
        """Rank active and superseded documents."""
        ...

    def search_drafts(
        self, question: str, *, scope: Place | None = None, names: Sequence[str] = ()
    ) -> list[Hit]:
        """Rank drafts."""
        ...
