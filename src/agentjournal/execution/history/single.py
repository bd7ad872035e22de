"""One step, whole: its handoff, what it left behind, and its log."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agentjournal.errors import NotFoundError
from agentjournal.execution.caps import HISTORY
from agentjournal.execution.citation import cited, quoted_line
from agentjournal.execution.history.step_id import full_step_id
from agentjournal.execution.layout import (
    Item,
    Part,
    fill,
    framed,
    left_out_line,
    with_last_line,
)
from agentjournal.execution.quoted import quoted_step, sentence
from agentjournal.storage.statement import load_statements
from agentjournal.text.bounded import size

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agentjournal.execution.layout import Composed
    from agentjournal.execution.quoted import QuotedStep
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Reader

__all__ = ["get_step", "get_step_data"]

SQL = load_statements("agentjournal.execution", "sql/read_history.sql")

LOG = "log bytes"
_FIELDS = (("Goal", "goal"), ("State", "current_state"), ("Next", "next_step"))


@dataclass(frozen=True)
class _Whole:
    slug: str
    step: QuotedStep
    is_quarantined: bool
    body: Mapping[str, Any]
    out_of_force: frozenset[int]  # positions of its ruled-out options


def get_step(log: Log, id: str, *, cap: int = HISTORY.default) -> str:  # noqa: A002 - the field
    """Give one step with its handoff and log, in at most `cap` bytes (up to 24,000).

    The beginning or end of an id, 8 characters or more, is enough where no other has the same.

    Raises:
        NotFoundError: there is no such step, or it was taken back.
        InputError: several ids begin or end so, or the cap lies outside of its bounds.
    """
    cap = HISTORY.checked(cap)
    whole = _load(log, id)
    head, part = _head(whole), Part(heading="", items=list(_items(whole)))
    text = str(whole.body.get("log", ""))
    more = f"agentjournal history --step {whole.step.id} --bytes {HISTORY.ceiling}"
    if cap >= HISTORY.ceiling:
        more = "agentjournal db export"

    def compose(reserved: int) -> Composed:
        filled = fill([part], cap - reserved - size(head))
        room = cap - reserved - size(head) - filled.used
        block, missing = framed("Log:", "log", text, room)
        return [head, *filled.lines, *block], filled.left_out + Counter({LOG: missing})

    everything = part.left_out + Counter({LOG: 10 * size(text)})
    return with_last_line(compose, everything, lambda left: left_out_line(left, more))


def get_step_data(log: Log, id: str) -> dict[str, object]:  # noqa: A002 - the field
    """Give one step as plain data, its log included.

    Raises:
        NotFoundError: there is no such step, or it was taken back.
        InputError: several ids begin or end so.
    """
    whole = _load(log, id)
    return {
        **whole.body,
        **vars(whole.step),
        "project": whole.slug,
        "is_quarantined": whole.is_quarantined,
        "out_of_force": sorted(whole.out_of_force),
    }


def _load(log: Log, id_: str) -> _Whole:
    with log.database.snapshot() as reader:
        found = full_step_id(reader, id_)
        row = next(iter(reader.rows(SQL["step_by_id"], id=found)), None)
        event = log.find(reader, found)
        if row is None or event is None or row["is_hidden"]:
            raise NotFoundError(
                f"There is no step {id_!r}, or it was taken back.",
                next="Copy an id from `agentjournal context` or `agentjournal why`.",
            )
        step = quoted_step(row)
        items = range(1, len(step.handoff.get("ruled_out", ())) + 1)
        gone = frozenset(at for at in items if _is_out_of_force(reader, f"{step.id}#{at}"))
    return _Whole(
        slug=str(row["slug"]),
        step=step,
        is_quarantined=bool(row["is_quarantined"]),
        body=event.body,
        out_of_force=gone,
    )


def _is_out_of_force(reader: Reader, id_: str) -> bool:
    return any(not row["is_in_force"] for row in reader.rows(SQL["ruled_out_item"], id=id_))


def _head(whole: _Whole) -> str:
    step = whole.step
    attempt = f" attempt {step.attempt}" if step.attempt else ""
    strange = ", quarantined: its token is unknown" if whole.is_quarantined else ""
    where = f"{whole.slug} #{step.seq} {step.task or 'project'}{attempt} {step.kind}"
    cite = cited(step.actor, step.id, step.revision)
    return f"{where}, {step.came_back}{strange}: {sentence(step.action)} {cite}"


def _items(whole: _Whole) -> Iterator[Item]:
    step, body = whole.step, whole.body
    for label, name in _FIELDS:
        if text := step.line(name):
            yield Item(text=f"{label}: {text}", kind="handoff fields")
    for at, item in enumerate(step.handoff.get("ruled_out", ()), start=1):
        yield Item(text=_ruled_out(item, at in whole.out_of_force), kind="ruled out")
    yield from (Item(text=line, kind="decisions") for line in step.decisions())
    yield from (Item(text=line, kind="questions") for line in step.questions())
    for gate in body.get("gate_events", ()):
        said = f"{gate['category']}, {gate['decision']}: {sentence(gate['operation'])}"
        yield Item(text=f"Gate {said} Why: {quoted_line(gate['why'])}", kind="gates")
    for reused in step.handoff.get("reused", ()):
        document, quote, impact = (quoted_line(reused[n]) for n in ("document", "quote", "impact"))
        yield Item(text=f'Reused {document}: "{quote}". Impact: {impact}', kind="reused")
    for artifact in body.get("artifacts", ()):
        text = f"Artifact: {artifact['kind']} {quoted_line(artifact['ref'])}"
        yield Item(text=text, kind="artifacts", round=1)
    for touch in body.get("touches", ()):
        text = f"Touched: {touch['kind']} {quoted_line(touch['name'])}"
        yield Item(text=text, kind="touches", round=2)


def _ruled_out(item: Mapping[str, Any], is_out_of_force: bool) -> str:  # noqa: FBT001 - one fact
    reopen = f"; reopen if: {quoted_line(item['reopen_if'])}" if item.get("reopen_if") else ""
    gone = " (out of force)" if is_out_of_force else ""
    return f"Ruled out: {quoted_line(item['option'])}: {quoted_line(item['why'])}{reopen}{gone}"
