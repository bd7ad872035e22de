"""What is known of a document without its text, and one section of it: what an index keeps."""

from __future__ import annotations

from agentjournal.frozen import frozen
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from agentjournal.engmem.document import Status
    from agentjournal.engmem.role import Role

__all__ = ["Header", "Passage"]


@frozen(kw_only=True)
class Header:
    """A document's fields, as far as an answer shows them or a filter asks for them.

    `version` is the first 16 hex digits of the SHA-256 of the file's bytes, `primer` the two lines
    that a reader with no context begins with, `verified_at` pairs of repository and commit.
    """

    id: str
    file: str
    title: str
    date: str
    status: Status
    version: str
    task_date: str = ""
    superseded_by: str | None = None
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    covers_files: tuple[str, ...] = ()
    repos: tuple[str, ...] = ()
    has_unknown_repos: bool = False
    verified_at: tuple[tuple[str, str], ...] = ()
    verified_at_commit: str = ""
    mode: str | None = None
    is_partial: bool = False
    faults: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    roles: tuple[Role, ...] = ()
    primer: str = ""


@frozen(kw_only=True)
class Passage:
    """One section; `place` counts from 1, `size` is that of its text in bytes."""

    place: int
    anchor: str
    heading: str
    role: Role | None
    size: int
    text: str

    @property
    def locator(self) -> str:
        """Give `§3-decision-log`: how a section is cited."""
        return f"§{self.place}-{self.anchor}"
