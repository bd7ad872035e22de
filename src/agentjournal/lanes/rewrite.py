"""What changes an owner's render otherwise than at its end: one event each, which deletes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from agentjournal.errors import (
    ConflictError,
    ConsolidationError,
    Fault,
    InputError,
    RevisionConflict,
)
from agentjournal.journal.consolidate import Consolidated, asked, consolidate
from agentjournal.journal.consolidation import Consolidation, ledger_lines
from agentjournal.lanes.event import rewrite_draft
from agentjournal.lanes.head import HEAD_BYTES, RENDER_BYTES, newest_that_fit
from agentjournal.lanes.lane import Lane, memory_of, read_lane
from agentjournal.lanes.neutral import neutral_memory, without_secrets
from agentjournal.lanes.opened import journal_of, kept_turns
from agentjournal.lanes.owner import check_owner
from agentjournal.text.bounded import size

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agentjournal.journal.consolidation import ConsolidationRequest, Consolidator
    from agentjournal.journal.journal import Journal
    from agentjournal.journal.memory import LayoutName, Memory
    from agentjournal.lanes.event import Act, Signature
    from agentjournal.lanes.opened import KeptTurn
    from agentjournal.log.event import Draft, Event
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Reader

__all__ = ["append_ledger", "clear", "consolidate_lane", "stored_rewrite"]

_IDENTITY_BYTES = HEAD_BYTES // 4
_ANSWER_BYTES = RENDER_BYTES // 2  # of a consolidator: a longer one is no distillation


def consolidate_lane(  # noqa: PLR0913 - whose, by what and whom, how much
    log: Log,
    stream: str,
    consolidator: Consolidator,
    by: Signature,
    keep_fraction: float = 0.5,
    *,
    chars_per_token: float | None = None,
) -> Consolidated:
    """Distil an owner's oldest turns and move the floor over them.

    The consolidator runs outside of every transaction: turns recorded meanwhile are kept. What
    went below the floor stays in the log, and the archive finds it. With nothing to split the
    consolidator is not called. The same id again gives the first answer.

    Raises:
        ConsolidationError: it failed, or brought nothing new, or too much; nothing was changed.
        RevisionConflict: the journal was rewritten meanwhile; nothing was changed.
    """
    check_owner(stream)
    with log.database.snapshot() as reader:
        if found := log.find(reader, by.id):
            return _answered(stored_rewrite(found, stream, "consolidate"))
        span = _span(log, reader, stream)
    plan = span.journal.plan_consolidation(keep_fraction)
    done = consolidate(span.journal, _bounded(consolidator), keep_fraction)
    if plan is None:
        return done
    ratio = None if chars_per_token is None else repr(chars_per_token)
    draft = _draft(span, plan.request, done, by, ratio)
    with log.database.transaction() as tx:
        log.lock_stream(tx, stream)
        if found := log.find(tx, by.id):
            return _answered(stored_rewrite(found, stream, "consolidate"))
        _check_revision(read_lane(tx, stream), span.lane)
        log.append(tx, [draft])
    return done


def append_ledger(log: Log, stream: str, lines: Iterable[str], by: Signature) -> int:
    """Add lines to an owner's ledger and count the new ones; blank and known ones are not.

    The ledger stands above the lived memory: this is a reset wherever a line is new.

    Raises:
        InputError: the lines are longer than 128 KiB together; nothing was added.
    """
    check_owner(stream)
    given = _without_secrets(Consolidation("", ledger_lines(lines)))
    _check_length(given)
    with log.database.transaction() as tx:
        log.lock_stream(tx, stream)
        if found := log.find(tx, by.id):
            body = stored_rewrite(found, stream, "append").body
            return len(cast("Sequence[str]", body.get("ledger", ())))
        lane = read_lane(tx, stream)
        memory = memory_of(tx, lane)
        news, neutralised = _news(memory, given, lane.layout)
        new = tuple(news.ledger)
        if new:
            keep = newest_that_fit(memory.with_lines(new))
            payload = {"ledger": list(new), "keep": keep, "neutralised": neutralised or None}
            log.append(tx, [rewrite_draft(stream, by, "append", lane.floor, payload)])
        return len(new)


def clear(log: Log, stream: str, by: Signature) -> None:
    """Let an owner forget everything: it begins anew, and its archive too.

    The turns stay in the log; `retract` and `redact` are for what must not stay.
    """
    check_owner(stream)
    with log.database.transaction() as tx:
        log.lock_stream(tx, stream)
        if found := log.find(tx, by.id):
            stored_rewrite(found, stream, "clear")
            return
        lane = read_lane(tx, stream)
        if lane.last_seq:
            log.append(tx, [rewrite_draft(stream, by, "clear", lane.turns, {})])


def stored_rewrite(found: Event, stream: str, act: Act) -> Event:
    """Give the event that an id names already.

    Raises:
        ConflictError: it is something else.
    """
    if (found.stream, found.kind, found.body.get("act")) != (stream, "consolidated", act):
        raise ConflictError(
            f"The id {found.id} is already stored with other content, as seq {found.seq} of "
            f"{found.stream}; nothing was changed.",
            next="Make a new id for something new; repeat an old one unchanged.",
        )
    return found


@dataclass(frozen=True, kw_only=True)
class _Span:
    """What a consolidation looks at: one state of the store."""

    lane: Lane
    turns: Sequence[KeptTurn]
    memory: Memory
    journal: Journal


def _span(log: Log, reader: Reader, stream: str) -> _Span:
    lane = read_lane(reader, stream)
    turns = list(kept_turns(log, reader, stream, lane.floor, lane.turns))
    journal = journal_of(reader, lane, turns)
    return _Span(lane=lane, turns=turns, memory=memory_of(reader, lane), journal=journal)


def _bounded(consolidator: Consolidator) -> Consolidator:
    """Refuse an answer that is no distillation, and take secrets out: a model repeats its input."""

    def bounded(request: ConsolidationRequest) -> Consolidation:
        answer = asked(consolidator, request)
        _check_length(answer)
        return _without_secrets(answer)

    return bounded


def _draft(
    span: _Span,
    request: ConsolidationRequest,
    done: Consolidated,
    by: Signature,
    chars_per_token: str | None,
) -> Draft:
    news, neutralised = _news(span.memory, done.result, span.lane.layout)
    if news.is_empty:
        raise ConsolidationError(
            f"What was distilled of {span.lane.stream} is known already; nothing was changed.",
            next="let the consolidator give an identity or at least one new ledger line",
        )
    memory = span.memory.with_span(news, request.entries, request.folded)
    epochs = [entry.epoch for entry in request.entries]
    payload = {
        "identity": news.identity or None,
        "ledger": list(news.ledger),
        "epochs": [min(epochs), max(epochs)],
        "folded": len(request.folded) or None,
        "keep": newest_that_fit(memory),
        "dropped": done.dropped,
        "neutralised": neutralised or None,
        "chars_per_token": chars_per_token,
    }
    floor = _floor(span.turns, done.dropped)
    return rewrite_draft(span.lane.stream, by, "consolidate", floor, payload)


def _without_secrets(answer: Consolidation) -> Consolidation:
    return Consolidation(without_secrets(answer.identity), [*map(without_secrets, answer.ledger)])


def _news(memory: Memory, answer: Consolidation, layout: LayoutName) -> tuple[Consolidation, int]:
    """Give what is new of an answer, its forged markers made harmless, and how many there were."""
    clean, count = _neutral(answer, layout)
    # What is new is trimmed, and with it the indent of a first line.
    return _neutral(memory.news(clean), layout)[0], count


def _neutral(answer: Consolidation, layout: LayoutName) -> tuple[Consolidation, int]:
    identity, count = neutral_memory(answer.identity, layout)
    lines = [neutral_memory(line, layout) for line in answer.ledger]
    clean = Consolidation(identity, [line for line, _ in lines])
    return clean, count + sum(each for _, each in lines)


def _floor(turns: Sequence[KeptTurn], dropped: int) -> int:
    """Give the number of the last turn that the dropped entries fill: they end with one."""
    floor = 0
    for turn in turns:
        dropped -= len(turn.entries)
        if dropped < 0:
            break
        floor = turn.n
    return floor


def _answered(found: Event) -> Consolidated:
    body = found.body
    ledger = cast("Sequence[str]", body.get("ledger", ()))
    result = Consolidation(str(body.get("identity", "")), ledger)
    return Consolidated(result, int(cast("int", body.get("dropped", 0))))


def _check_revision(now: Lane, then: Lane) -> None:
    if now.revision != then.revision:
        raise RevisionConflict(
            f"The journal of {now.stream} is at revision {now.revision}, not {then.revision}; "
            "nothing was changed.",
            next="distil again what is there now",
        )


def _check_length(answer: Consolidation) -> None:
    """Refuse what could not stand above a memory."""
    faults = [
        Fault(
            field=field,
            rule=f"must hold at most {most} bytes",
            got=f"{length} bytes",
            remedy="Distil shorter.",
        )
        for field, length, most in (
            ("identity", size(answer.identity), _IDENTITY_BYTES),
            ("ledger", sum(map(size, answer.ledger)), _ANSWER_BYTES),
        )
        if length > most
    ]
    if faults:
        raise InputError("This is too long to stand above a memory.", faults=tuple(faults))
