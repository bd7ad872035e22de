"""One line of an export, read strictly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn, cast

from agentjournal.errors import AgentJournalError, InputError
from agentjournal.log.event import COLUMNS, Event, column_faults
from agentjournal.text.canonical import canonical_json, parse_json

__all__ = ["End", "Line", "Seal", "read_line", "refuse"]

AGAIN = "Export again from the store that it comes from; nothing was imported."


@dataclass(frozen=True)
class Seal:
    """A seal as it is exported."""

    stream: str
    first_seq: int
    last_seq: int
    sha256: str


@dataclass(frozen=True)
class End:
    """The last line: how many events and seals there are, and the SHA-256 of all lines before."""

    events: int
    seals: int
    sha256: str


Line = Event | Seal | End
_NUMBERS = frozenset({"seq", "first_seq", "last_seq", "events", "seals"})
_FIELDS = {
    "event": frozenset(COLUMNS),
    "seal": frozenset(Seal.__annotations__),
    "end": frozenset(End.__annotations__),
}


def read_line(number: int, line: str) -> Line:
    """Read a line after the first.

    Raises:
        InputError: it is not what `export` writes; the message names the line.
    """
    kind, fields = _record(number, line)
    for name in sorted(fields):
        if not _is_typed(name, fields[name]):
            refuse(number, f"holds no valid {name}")
    if kind == "seal":
        return Seal(**fields)  # type: ignore[arg-type] # checked above
    if kind == "end":
        return End(**fields)  # type: ignore[arg-type] # checked above
    return _event(number, fields)


def refuse(number: int, what: str, next: str = AGAIN) -> NoReturn:  # noqa: A002 - the word users see
    """Refuse the whole import because of one line.

    Raises:
        InputError: always.
    """
    raise InputError(f"Line {number} of the import {what}.", next=next)


def _record(number: int, line: str) -> tuple[str, dict[str, object]]:
    try:
        record = parse_json(line)
        is_canonical = canonical_json(record) == line
    except AgentJournalError as error:
        refuse(number, f"is cut or altered: {error.message}")
    if not is_canonical:
        refuse(number, "is not spelled as an export is")
    kinds = cast("dict[str, object]", record) if isinstance(record, dict) else {}
    kind = next(iter(kinds), "")
    fields = kinds.get(kind)
    if len(kinds) != 1 or kind not in _FIELDS or not isinstance(fields, dict):
        refuse(number, "is no event, seal or end", f"A newer version may know it. {AGAIN}")
    if fields.keys() != _FIELDS[kind]:
        refuse(number, f"must hold exactly {', '.join(sorted(_FIELDS[kind]))}")
    return kind, fields


def _is_typed(name: str, value: object) -> bool:
    if name in _NUMBERS:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, str) or (name == "turn" and value is None)


def _event(number: int, fields: dict[str, object]) -> Event:
    event = Event(**fields)  # type: ignore[arg-type] # checked by the caller
    faults = (
        *column_faults(
            kind=event.kind, at=event.at, stream=event.stream, id=event.id, actor=event.actor
        ),
        *column_faults(kind=event.kind, at=event.recorded_at),
    )
    if faults:
        refuse(number, f"holds an event that cannot be: {faults[0]}")
    return event
