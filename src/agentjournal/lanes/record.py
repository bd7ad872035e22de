"""Recording a turn: once, in order, whatever other processes record meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from agentjournal.errors import ConflictError
from agentjournal.lanes.event import turn_draft
from agentjournal.lanes.lane import SQL, heard_of, read_lane
from agentjournal.lanes.owner import owner_name
from agentjournal.lanes.room import settle
from agentjournal.lanes.turn import composed, prepare, said_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.journal.memory import LayoutName
    from agentjournal.lanes.event import Signature
    from agentjournal.lanes.turn import Prepared, Said, Turn
    from agentjournal.log.event import Draft, Event
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Reader

__all__ = ["Recorded", "record_turn"]


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """Where a turn stands; a repeat of its id gives the first answer again.

    `n` is its number and `epoch` what a render calls it: both only grow. They are 0 where there was
    nothing to remember: all of it was blank, or redelivered (`stale`).
    """

    id: str
    n: int = 0
    epoch: int = 0
    stale: int = 0
    neutralised: int = 0
    redacted: tuple[str, ...] = ()
    is_repeat: bool = False


def record_turn(log: Log, stream: str, turn: Turn, by: Signature) -> Recorded:
    """Append a turn to an owner's journal; costs what the turn costs, whatever the history.

    What a speaker has said last is stale when it is delivered again. Secrets are taken out, lines
    that would forge a marker are indented, reserved speakers quoted. Safe to repeat with the same
    id after any error.

    Raises:
        InputError: it is too long, or `stream` names no owner; nothing was stored.
        ConflictError: the id is stored with other content.
    """
    owner = owner_name(stream)
    with log.database.snapshot() as reader:
        prepared = prepare(owner, turn, read_lane(reader, stream).layout)
        if found := log.find(reader, by.id):
            return _repeated(reader, found, stream, prepared)
        news = _news(reader, stream, prepared)
    draft = _draft(stream, by, prepared, news)
    with log.database.transaction() as tx:
        log.lock_stream(tx, stream)
        if found := log.find(tx, by.id):
            return _repeated(tx, found, stream, prepared)
        if (layout := read_lane(tx, stream).layout) != prepared.layout:  # imported meanwhile
            prepared, news = prepare(owner, turn, layout), ()
        if (now := _news(tx, stream, prepared)) != news:  # another process heard it first
            news, draft = now, _draft(stream, by, prepared, now)
        if not news and turn.result is None:
            return Recorded(id=by.id, stale=len(prepared.said))
        event = log.append(tx, [draft])[0]
        answer = _answer(tx, event, prepared, len(news))
        settle(log, tx, event)
        return answer


def _news(reader: Reader, stream: str, prepared: Prepared) -> tuple[Said, ...]:
    return prepared.news(heard_of(reader, stream, prepared.speakers))


def _draft(stream: str, by: Signature, prepared: Prepared, news: Sequence[Said]) -> Draft:
    payload = {
        "neutralised": prepared.neutralised or None,
        "result": prepared.result,
        "stale": len(prepared.said) - len(news) or None,
    }
    return turn_draft(stream, by, composed(news, prepared.layout), payload)


def _repeated(reader: Reader, found: Event, stream: str, prepared: Prepared) -> Recorded:
    """Answer a repeated id with the first answer.

    Raises:
        ConflictError: what is stored under the id is something else.
    """
    is_gone = "redacted" in found.body
    is_ours = found.stream == stream and found.kind == "turn"
    if not is_ours or not (is_gone or _is_content(found, prepared)):
        raise ConflictError(
            f"The id {found.id} is already stored with other content, as seq {found.seq} of "
            f"{found.stream}; nothing was stored.",
            next="Make a new id for a new turn; repeat an old one unchanged.",
        )
    kept = len(prepared.said) - int(cast("int", found.body.get("stale", 0)))
    return _answer(reader, found, prepared, kept, is_repeat=True)


def _is_content(found: Event, prepared: Prepared) -> bool:
    """Say whether the event holds what was asked for, but for what was stale at that time."""
    asked = iter(prepared.said)
    stored = _stored(found, prepared.layout)
    is_within = all(each in asked for each in stored)  # in order: `in` consumes the iterator
    missing = len(prepared.said) - len(stored)
    is_same_result = found.body.get("result") == prepared.result
    return is_within and missing == found.body.get("stale", 0) and is_same_result


def _stored(found: Event, layout: LayoutName) -> list[Said]:
    return list(said_in(found.turn, found.body["entries"], layout)) if found.turn else []


def _answer(
    reader: Reader, event: Event, prepared: Prepared, kept: int, *, is_repeat: bool = False
) -> Recorded:
    at = reader.rows(SQL["turn_at"], stream=event.stream, seq=event.seq)[0]
    return Recorded(
        id=event.id,
        n=int(at["n"] or 0),
        epoch=int(at["epoch"] or 0),
        stale=len(prepared.said) - kept,
        neutralised=prepared.neutralised,
        redacted=prepared.redacted,
        is_repeat=is_repeat,
    )
