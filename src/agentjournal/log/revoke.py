"""The two ways back: retract hides an event, redact overwrites its text; both are events."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agentjournal.errors import ConflictError, Fault, InputError, NotFoundError
from agentjournal.log.event import draft
from agentjournal.storage.statement import load_statements
from agentjournal.text.canonical import canonical_json
from agentjournal.text.redact import redact as without_secrets

if TYPE_CHECKING:
    from agentjournal.log.event import Draft, Event
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Transaction

__all__ = ["redact", "retract"]

SQL = load_statements(__package__, "sql/event.sql")
FIXED = frozenset({"project", "retract", "redact"})
WHY_CHARACTERS = 400


def retract(log: Log, id: str, *, event_id: str, actor: str, at: str, why: str) -> Event:  # noqa: A002, PLR0913 - the columns
    """Hide an event from every read but the audit; give the event that says so.

    The same `event_id` again gives the first answer.

    Raises:
        NotFoundError: there is no such event.
        InputError: its kind cannot be retracted, or `why` breaks its rule.
        ConflictError: it is hidden already, or `event_id` is taken.
    """
    target = _target(log, id)
    body = {"v": 1, "event": id, "why": _checked_why(why)}
    event = draft(
        stream=target.stream, id=event_id, kind="retract", actor=actor, at=at, payload=body
    )
    with log.database.transaction() as tx:
        log.lock_stream(tx, target.stream)
        return _repeated(log, tx, event) or _appended(log, tx, event, {"retract", "redact"})


def redact(log: Log, id: str, *, event_id: str, actor: str, at: str, why: str) -> Event:  # noqa: A002, PLR0913 - the columns
    """Overwrite an event's payload and turn by a marker, in the file too; give the event for it.

    What stays is the digest of the original and the skeleton that the folds need. Copies made
    before (backups, exports) still hold the text. The same `event_id` again gives the first answer.

    Raises:
        NotFoundError: there is no such event.
        InputError: its kind cannot be redacted, or `why` breaks its rule.
        ConflictError: it is redacted already, or `event_id` is taken.
    """
    target = _target(log, id)
    marked = _marked(log, target, event_id)
    body = {
        "v": 1,
        "event": id,
        "why": _checked_why(why),
        "original": target.digest,
        "marker": marked.own_digest,
    }
    event = draft(
        stream=target.stream, id=event_id, kind="redact", actor=actor, at=at, payload=body
    )
    with log.database.transaction() as tx:
        log.lock_stream(tx, target.stream)
        stored = _repeated(log, tx, event)
        if stored is None:
            tx.run(SQL["replace_payload"], id=id, payload=marked.payload)
            stored = _appended(log, tx, event, {"redact"})
    log.database.compact()
    return stored


def _target(log: Log, id: str) -> Event:  # noqa: A002 - the column's name
    with log.database.snapshot() as reader:
        event = log.find(reader, id)
    if event is None:
        raise NotFoundError(
            f"There is no event {id!r}.", next="Look its id up with `agentjournal why`."
        )
    if event.kind in FIXED:
        fault = Fault(
            field="id",
            rule=f"must not name an event of kind {', '.join(sorted(FIXED))}",
            got=f"{id!r}, of kind {event.kind}",
            remedy="Name the event that holds the text.",
        )
        raise InputError(f"An event of kind {event.kind} stays as it is.", faults=(fault,))
    return event


def _checked_why(why: str) -> str:
    if not why.strip() or len(why) > WHY_CHARACTERS or not why.isprintable():
        fault = Fault(
            field="why",
            rule=f"must be one line of 1 to {WHY_CHARACTERS} characters",
            got=f"{len(why)} characters",
            remedy="Say in one line why it goes, without repeating what it says.",
        )
        raise InputError("Nothing is hidden without a reason.", faults=(fault,))
    return without_secrets(why).text


def _marked(log: Log, target: Event, event_id: str) -> Event:
    if "redacted" in target.body:
        return target
    skeleton: dict[str, object] = {}
    for fold in log.folds:
        skeleton |= fold.skeleton(target.kind, target.body)
    marker = canonical_json({**skeleton, "v": 1, "redacted": event_id})
    return replace(target, payload=marker, turn=None)


def _repeated(log: Log, tx: Transaction, event: Draft) -> Event | None:
    earlier = log.find(tx, event.id)
    if earlier is not None and _question(earlier) != _question(event):
        raise ConflictError(
            f"The id {event.id} is already stored with other content, as seq {earlier.seq} of "
            f"{earlier.stream}.",
            next="Make a new id for a new event; repeat an old one unchanged.",
        )
    return earlier


def _question(event: Draft) -> tuple[object, ...]:
    body = event.body
    return (event.stream, event.kind, event.actor, body.get("event"), body.get("why"))


def _appended(log: Log, tx: Transaction, event: Draft, hiding: set[str]) -> Event:
    for earlier in log.revocations(tx, event.stream):
        if earlier.kind in hiding and earlier.body.get("event") == event.body["event"]:
            raise ConflictError(
                f"{event.body['event']} is already hidden by {earlier.id} ({earlier.kind}).",
                next="Nothing needs to be done.",
            )
    return log.append(tx, [event])[0]
