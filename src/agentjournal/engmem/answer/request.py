"""What is asked of a store, and on what occasion."""

from __future__ import annotations

from agentjournal.frozen import frozen
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path
    from typing import Literal

    from agentjournal.engmem.answer.scope import Scope
    from agentjournal.engmem.document import Status
    from agentjournal.engmem.header import Header
    from agentjournal.engmem.role import Role

    Channel = Literal["cli", "mcp"]

__all__ = ["SHOWN", "Occasion", "SearchRequest", "Within"]


SHOWN = 3  # documents, unless another limit is asked for


@frozen
class Within:
    """The documents that a search may find: of a scope, with these tags, new enough, and so on."""

    scope: Scope | None = None
    tags: tuple[str, ...] = ()
    since: str = ""
    role: Role | None = None
    status: Status | None = None

    def admits(self, header: Header) -> bool:
        """Say whether the document belongs here."""
        held = {tag.casefold() for tag in header.tags}
        return (
            header.date >= self.since
            and self.status in {None, header.status}
            and (self.role is None or self.role in header.roles)
            and all(tag.casefold() in held for tag in self.tags)
            and (self.scope is None or self.scope.admits(header))
        )


@frozen(kw_only=True)
class SearchRequest:
    """A question and what narrows it.

    `names` are those of classes and files at hand: they add to a score and never have to match;
    `since` is `YYYY-MM-DD`; `status` other than None asks for documents of that status only;
    `names_drafts` says whether drafts that would match are named.
    """

    query: str
    session: str | None = None
    role: Role | None = None
    scope: Scope | None = None
    limit: int = SHOWN
    tags: tuple[str, ...] = ()
    since: str = ""
    status: Status | None = None
    names: tuple[str, ...] = ()
    names_drafts: bool = True

    @property
    def within(self) -> Within:
        """Give what the documents must fulfil, whatever their status and sections."""
        return Within(self.scope, self.tags, self.since)


def _text(text: str, data: Mapping[str, object]) -> str:  # noqa: ARG001 - what has data shows it
    return text


def _no_snapshots(_: Sequence[Header]) -> Mapping[str, str]:
    return {}


@frozen(kw_only=True)
class Occasion:
    """Where the store lies, when, through what and by which program it is asked.

    `snapshots` says of documents that are linked to the repository one stands in how its files
    compare with those they were written against, by id. `shown` gives what of an answer's text and
    data reaches whoever asked.
    """

    root: Path
    now: datetime
    channel: Channel
    program: str
    snapshots: Callable[[Sequence[Header]], Mapping[str, str]] = _no_snapshots
    shown: Callable[[str, Mapping[str, object]], str] = _text
