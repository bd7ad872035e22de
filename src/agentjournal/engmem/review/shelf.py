"""The documents that the review reads, and the versions of them that were cited."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agentjournal.engmem.front_matter import FrontMatter, read_front_matter
from agentjournal.engmem.kept_version import Missing, kept_version
from agentjournal.engmem.review.story import collapsed, read_story
from agentjournal.engmem.store import BYTES, SESSIONS, read_store
from agentjournal.system.files import read_inside

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from agentjournal.engmem.review.story import Story
    from agentjournal.engmem.store import Failure

__all__ = ["Shelf", "read_shelf"]


@dataclass(frozen=True)
class Shelf:
    """Every document by its id, and what could not be read."""

    root: Path
    stories: Mapping[str, Story]
    failures: tuple[Failure, ...]

    def text(self, id_: str, version: str | None) -> str | Missing:
        """Give the body of a document as it is, or as it was in a version, white space collapsed."""
        return self.stories[id_].collapsed_body if version is None else self._kept(id_, version)

    def _kept(self, id_: str, version: str) -> str | Missing:
        data = kept_version(self.root, id_, version)
        return data if isinstance(data, Missing) else collapsed(_body(_decoded(data)))


def read_shelf(root: Path) -> Shelf:
    """Read every document of a store for the review.

    Raises:
        NotFoundError: there is no folder `sessions`.
        InputError: it cannot be listed.
    """
    store = read_store(root)
    stories = (_placed(root, read_story(document)) for document in store.documents)
    return Shelf(root, {story.id: story for story in stories}, store.failures)


def _placed(root: Path, story: Story) -> Story:
    """Find the line of each row, counted from 1 in the file: it stands behind the row before."""
    if not story.rows:
        return story
    text = _decoded(read_inside(root, f"{SESSIONS}/{story.file}", BYTES))
    numbered = enumerate((line.strip() for line in text.split("\n")), start=1)
    places = [next((at for at, line in numbered if line == row.text), 0) for row in story.rows]
    rows = (replace(row, line=at) for row, at in zip(story.rows, places, strict=True))
    return replace(story, rows=tuple(rows))


def _decoded(data: bytes) -> str:
    text = data.decode("utf-8-sig", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _body(text: str) -> str:
    block = read_front_matter(text)
    return block.body if isinstance(block, FrontMatter) else text
