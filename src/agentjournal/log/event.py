"""What a log holds: events, and the drafts that become events when they are appended."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, cast, get_args

from agentjournal.errors import DamagedError, Fault, InputError
from agentjournal.text.canonical import canonical_json, parse_json, sha256_hex

if TYPE_CHECKING:
    from agentjournal.storage.database import Row

__all__ = [
    "COLUMNS",
    "KINDS",
    "Draft",
    "Event",
    "Kind",
    "column_faults",
    "digest_of",
    "draft",
    "event_of",
]

Kind = Literal[
    "project",
    "plan",
    "attempt",
    "step",
    "close",
    "gate",
    "discovered",
    "resolve",
    "reopen",
    "claim",
    "turn",
    "consolidated",
    "retract",
    "redact",
]
KINDS: frozenset[str] = frozenset(get_args(Kind))
COLUMNS = (
    "stream",
    "seq",
    "id",
    "kind",
    "actor",
    "at",
    "payload",
    "turn",
    "digest",
    "recorded_at",
)
_NAME = re.compile(r"[^\x00-\x1f\x7f]{1,200}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Draft:
    """What a writer says, with its digest, before the log gives it a place; see `draft`."""

    stream: str
    id: str
    kind: Kind
    actor: str
    at: str
    payload: str
    turn: str | None
    digest: str

    @cached_property
    def body(self) -> Mapping[str, object]:
        """Read the payload.

        Raises:
            DamagedError: it is no JSON object, so it is not what was written.
        """
        try:
            body = parse_json(self.payload)
        except InputError:
            body = None
        if not isinstance(body, Mapping):
            raise DamagedError(
                f"The payload of the event {self.id} of {self.stream} is no JSON object.",
                next="Run `agentjournal db verify`, then restore a backup.",
            )
        return body

    @property
    def own_digest(self) -> str:
        """Give the digest of what it holds ('' where none can be made); `digest` was written."""
        try:
            return digest_of(
                stream=self.stream,
                id=self.id,
                kind=self.kind,
                actor=self.actor,
                at=self.at,
                payload=self.payload,
                turn=self.turn,
            )
        except InputError:
            return ""


@dataclass(frozen=True, kw_only=True)
class Event(Draft):
    """One stored event; `hidden` says that a later event retracts or redacts it."""

    seq: int
    recorded_at: str
    hidden: bool = False

    @property
    def columns(self) -> dict[str, str | int | None]:
        """Give the event as the row that the table `event` holds."""
        return {name: getattr(self, name) for name in COLUMNS}


def draft(  # noqa: PLR0913 - the columns that a writer fills
    *,
    stream: str,
    id: str,  # noqa: A002 - the column's name
    kind: Kind,
    actor: str,
    at: str,
    payload: Mapping[str, object],
    turn: str | None = None,
) -> Draft:
    """Compose an event's canonical payload and digest, before any lock is taken.

    Raises:
        InputError: a column breaks its rule, or the payload has no canonical JSON.
    """
    if faults := column_faults(stream=stream, id=id, kind=kind, actor=actor, at=at):
        raise InputError(f"The event {id!r} cannot be stored.", faults=faults)
    text = canonical_json(payload)
    digest = digest_of(stream=stream, id=id, kind=kind, actor=actor, at=at, payload=text, turn=turn)
    return Draft(
        stream=stream,
        id=id,
        kind=kind,
        actor=actor,
        at=at,
        payload=text,
        turn=turn,
        digest=digest,
    )


def digest_of(  # noqa: PLR0913 - the columns that a writer fills
    *,
    stream: str,
    id: str,  # noqa: A002 - the column's name
    kind: str,
    actor: str,
    at: str,
    payload: str,
    turn: str | None,
) -> str:
    """Give the hex SHA-256 of the canonical array of what a writer says."""
    return sha256_hex(canonical_json([stream, id, kind, actor, at, payload, turn]))


def event_of(row: Row, *, hidden: bool = False) -> Event:
    """Read one row of the table `event`."""
    values = cast("dict[str, object]", row)
    return Event(**values, hidden=hidden)  # type: ignore[arg-type] # the columns' types


def column_faults(*, kind: str, at: str, **names: str) -> tuple[Fault, ...]:
    """Name every rule that a kind, a time or a name (stream, id, actor) breaks."""
    faults = [
        Fault(
            field=field,
            rule="must be 1 to 200 characters without control characters",
            got=repr(name[:40]),
            remedy="Give a short name on one line.",
        )
        for field, name in names.items()
        if not _NAME.fullmatch(name)
    ]
    if kind not in KINDS:
        words = ", ".join(get_args(Kind))
        remedy = "A newer version may know it: update agent-journal."
        faults.append(
            Fault(field="kind", rule=f"must be one of {words}", got=repr(kind[:40]), remedy=remedy)
        )
    if not _TIME.fullmatch(at):
        rule = "must be UTC as YYYY-MM-DDTHH:MM:SS.ffffffZ"
        remedy = "Format it with system.clock.timestamp."
        faults.append(Fault(field="at", rule=rule, got=repr(at[:40]), remedy=remedy))
    return tuple(faults)
