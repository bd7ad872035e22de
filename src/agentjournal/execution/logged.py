"""The answer to a step that was recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from agentjournal.errors import ConflictError
from agentjournal.execution.projection.change import first
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from agentjournal.errors import Fault
    from agentjournal.execution.payload import Payload
    from agentjournal.execution.step import End, Result
    from agentjournal.log.event import Event
    from agentjournal.storage.database import Reader

__all__ = ["Logged", "StepKind", "logged", "repeated"]

SQL = load_statements("agentjournal.execution", "sql/fold/step.sql")

StepKind = Literal["step", "close"]


@dataclass(frozen=True, kw_only=True)
class Logged:
    """Where a recorded step stands; a repeat of its id gives the first answer again.

    `result` and `end` are what was stored: at a worker's end not always what it said. `notes` say
    in words what a person should know. `faults` are those of what was kept although it was no valid
    handoff: at a worker's end only.
    """

    id: str
    seq: int
    kind: StepKind
    result: Result
    end: End | None
    task: str | None
    attempt: int | None
    is_late: bool
    is_quarantined: bool
    is_repeat: bool = False
    redacted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()


def logged(  # noqa: PLR0913 - the parts of the answer
    reader: Reader,
    stored: Event,
    payload: Payload,
    *,
    notes: tuple[str, ...] = (),
    faults: tuple[Fault, ...] = (),
    is_repeat: bool = False,
) -> Logged:
    """Give the answer for a stored step from what the projections say of it."""
    row = first(reader, SQL["step"], id=stored.id) or {}
    return Logged(
        id=stored.id,
        seq=stored.seq,
        kind=cast("StepKind", stored.kind),
        result=cast("Result", row.get("result")),
        end=cast("End | None", row.get("end_reason")),
        task=cast("str | None", row.get("task")),
        attempt=cast("int | None", row.get("attempt")),
        is_late=bool(row.get("is_late")),
        is_quarantined=bool(row.get("is_quarantined")),
        is_repeat=is_repeat,
        redacted=payload.redacted,
        notes=(*payload.notes, *notes),
        faults=faults,
    )


def repeated(reader: Reader, found: Event, payload: Payload) -> Logged:
    """Answer a repeated id with the first answer.

    Raises:
        ConflictError: what is stored under the id is something else.
    """
    if not payload.is_content_of(found):
        raise ConflictError(
            f"The id {found.id} is already stored with other content, as seq {found.seq} of "
            f"{found.stream}; nothing was stored.",
            next="Make a new id for a new step; repeat an old one unchanged.",
        )
    return logged(reader, found, payload, is_repeat=True)
