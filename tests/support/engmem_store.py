"""Stores of a few documents, and their indexes, for the tests of searching them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from agentjournal.compose.documents import open_documents

if TYPE_CHECKING:
    from agentjournal.engmem.index.store_index import StoreIndex

LATER = 4_000_000_000_000_000_000  # nanoseconds: long after any file was changed


class Shop:
    """A store in a folder of its own, with the folder that its index is kept in."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "store"
        self.cache = folder / "cache"
        self.sessions = self.root / "sessions"
        self.sessions.mkdir(parents=True)

    def write(self, name: str, text: str = "", *, body: str = "Nothing.", **fields: str) -> Path:
        """Write a document; without a text it is made of these fields and this body."""
        lines = "\n".join(f"{key}: {value}" for key, value in fields.items())
        path = self.sessions / f"{name}.md"
        path.write_text(text or f"---\n{lines}\n---\n\n## Decision Log\n\n{body}\n")
        return path

    def index(self) -> StoreIndex:
        """Open the index of the store as it is now."""
        return open_documents(self.root, self.cache, now=LATER)

    def found(self, question: str) -> list[str]:
        """Give the ids of what is found now."""
        return [hit.header.id for hit in self.index().search(question)]

    def files(self) -> list[Path]:
        """Give the files of the index, its lock left out."""
        every = (Path(at) / name for at, _, names in os.walk(self.cache) for name in names)
        return sorted(each for each in every if not each.name.startswith(("lock", ".tantivy-")))


def many(shop: Shop, count: int) -> None:
    """Write documents of which each has a word of its own, and all have one."""
    for number in range(count):
        shop.write(f"d{number:03}-doc", body=f"everywhere only{number}word", title=f"Doc {number}")
