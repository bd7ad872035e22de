"""The store as a long-lived server holds it: what each tool does, by the functions of the commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agentjournal.engmem.search import SHOWN, find_in, rendered
from agentjournal.engmem.store import read_store

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from agentjournal.compose.world import World

__all__ = ["Memory"]


@dataclass(frozen=True)
class Memory:
    """One store, and the world in which it is asked."""

    root: Path
    world: World

    def calls(self) -> dict[str, Callable[[Mapping[str, Any]], str]]:
        """Give the function of each tool by its name."""
        return {"engmem_search": self.search}

    def search(self, given: Mapping[str, Any]) -> str:
        """Answer a search."""
        found = find_in(read_store(self.root), given["query"], SHOWN)
        return rendered(found, self.world.now()[:10])
