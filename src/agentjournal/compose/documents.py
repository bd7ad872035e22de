"""Opening a store's index: as it was left where nothing changed, else after reading what did."""

from __future__ import annotations

from agentjournal.engmem.index.looked import looked_at
from agentjournal.engmem.index.shelf import open_unchanged
from agentjournal.errors import AgentJournalError
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agentjournal.engmem.index.refresh import Listener
    from agentjournal.engmem.index.store_index import StoreIndex

__all__ = ["Documents", "open_documents"]


def open_documents(
    root: Path, cache_dir: Path, *, now: int, listener: Callable[[], Listener] | None = None
) -> StoreIndex:
    """Open the index of a store for what the store holds now; `now` is in nanoseconds since 1970.

    Only where a file changed is loaded what reads documents, and the listener asked for.

    Raises:
        NotFoundError: there is no folder `sessions`.
    """
    return Documents(root, cache_dir, listener).now(now)


class Documents:
    """The documents of a store for a process that asks more than once."""

    def __init__(
        self, root: Path, cache_dir: Path, listener: Callable[[], Listener] | None = None
    ) -> None:
        self.root = root
        self.cache_dir = cache_dir
        self._listener = listener
        self._index: StoreIndex | None = None

    def now(self, now: int) -> StoreIndex:
        """Give the index as of this moment, in nanoseconds since 1970.

        Raises:
            NotFoundError: there is no folder `sessions`.
        """
        try:
            looked = looked_at(self.root)
        except (AgentJournalError, OSError):
            return self._unlisted()
        before = self._index
        if before and before.held.looked and before.held.looked == looked.data:
            return before
        self._index = open_unchanged(looked, self.cache_dir)
        if self._index is None:
            from agentjournal.engmem.index.refresh import refreshed

            self._index = refreshed(
                looked,
                self.cache_dir,
                now=now,
                before=before,
                listener=self._listener() if self._listener else None,
            )
        return self._index

    def _unlisted(self) -> StoreIndex:
        from agentjournal.engmem.index.refresh import unlisted

        return unlisted(self.root)
