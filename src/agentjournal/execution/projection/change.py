"""One event of a project's stream, as the projections see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agentjournal.log.event import Event
    from agentjournal.storage.database import Reader, Row, Value
    from agentjournal.storage.statement import Statement

__all__ = ["Body", "Change", "first", "slug_of", "stream_of"]

Body = Mapping[str, Any]  # a payload: checked JSON
_PREFIX = "project/"


@dataclass(frozen=True)
class Change:
    """An event, its project and what of its payload counts: a hidden one has its skeleton only."""

    slug: str
    event: Event
    body: Body

    @property
    def is_hidden(self) -> bool:
        """Say whether a later event retracts or redacts this one."""
        return self.event.hidden


def stream_of(slug: str) -> str:
    """Name the stream of a project."""
    return _PREFIX + slug


def slug_of(stream: str) -> str | None:
    """Give the project of a stream; None where it is another stream."""
    return stream.removeprefix(_PREFIX) if stream.startswith(_PREFIX) else None


def first(reader: Reader, statement: Statement, **values: Value) -> Row | None:
    """Give the first row, or None."""
    rows = reader.rows(statement, **values)
    return rows[0] if rows else None
