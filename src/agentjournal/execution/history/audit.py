"""Everything that was ever said of a project, in order, with what was taken back and by whom."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from agentjournal.execution.caps import HISTORY
from agentjournal.execution.citation import quoted_line, short_id
from agentjournal.execution.layout import LINE_END, left_out_line
from agentjournal.execution.projection.change import first, stream_of
from agentjournal.execution.quoted import sentence
from agentjournal.execution.task import load_project
from agentjournal.storage.statement import load_statements
from agentjournal.text.bounded import clip, size

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agentjournal.execution.projection.change import Body
    from agentjournal.log.event import Event
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Reader

__all__ = ["get_audit", "get_audit_data"]

CLAIM = load_statements("agentjournal.execution", "sql/fold/claim.sql")

PAGE = 50  # events
MOST = 200
WHAT_BYTES = 200
WHY_BYTES = 120
SHA256_SHOWN = 12  # characters
REASONED = frozenset({"resolve", "reopen", "retract", "redact"})


@dataclass(frozen=True, kw_only=True)
class _Hiding:
    """The event that took another one back, and why."""

    kind: str
    id: str
    why: str

    def __str__(self) -> str:
        past = {"retract": "retracted", "redact": "redacted"}[self.kind]
        return f"({past} by {short_id(self.id)}: {quoted_line(self.why, WHY_BYTES)})"


@dataclass(frozen=True, kw_only=True)
class _Entry:
    seq: int
    id: str
    at: str
    kind: str
    actor: str
    what: str
    why: str
    hidden_by: _Hiding | None

    @property
    def line(self) -> str:
        told = [quoted_line(self.what, WHAT_BYTES)] if self.what else []
        if self.why:
            told.append(f"Why: {quoted_line(self.why, WHY_BYTES)}")
        if self.hidden_by:
            told.append(str(self.hidden_by))
        return f"#{self.seq} {self.at[:19]}Z {self.kind} {self.actor}: {' '.join(told)}"


@dataclass(frozen=True)
class _Page:
    entries: tuple[_Entry, ...]
    following: int  # events after the cursor, those of the page included


def get_audit(
    log: Log, slug: str, *, after_seq: int = 0, limit: int = PAGE, cap: int = HISTORY.default
) -> str:
    """Give every event after a seq in order, a line each, in at most `cap` bytes (up to 24,000).

    What was retracted is shown with who took it back and why; of what was redacted only that is
    left. The last line counts the events that follow and names the seq to go on after.

    Raises:
        NotFoundError: there is no such project.
        InputError: the cap lies outside of its bounds.
    """
    cap = HISTORY.checked(cap)
    page = _load(log, slug, after_seq, limit)
    head = f"Everything recorded of {slug} after seq {after_seq}: seq, time, kind, actor."
    room = cap - size(head) - size(_last(slug, page.following, after_seq + 10**9)) - 2 - LINE_END
    shown = list(_shown(page, room))
    if not shown:
        return f"{head}\nThere is nothing."
    left = page.following - len(shown)
    last = [_last(slug, left, page.entries[len(shown) - 1].seq)] if left else []
    return "\n".join([head, *shown, *last])


def get_audit_data(
    log: Log, slug: str, *, after_seq: int = 0, limit: int = PAGE
) -> dict[str, object]:
    """Give the same events as plain data; `after_seq` is the cursor of the next page.

    Raises:
        NotFoundError: there is no such project.
    """
    page = _load(log, slug, after_seq, limit)
    return {
        "project": slug,
        "events": [asdict(entry) for entry in page.entries],
        "after_seq": page.entries[-1].seq if page.entries else after_seq,
        "left_out": page.following - len(page.entries),
    }


def _load(log: Log, slug: str, after_seq: int, limit: int) -> _Page:
    stream, count = stream_of(slug), min(max(limit, 1), MOST)
    with log.database.snapshot() as reader:
        last_seq = int(load_project(reader, slug)["last_seq"] or 0)
        hidings = _hidings(log.revocations(reader, stream))
        events = log.events(reader, stream, after_seq, count)
        entries = tuple(_entry(reader, event, hidings) for event in events)
    return _Page(entries, max(last_seq - after_seq, 0))


def _hidings(revocations: list[Event]) -> dict[str, _Hiding]:
    """Give by the id of each hidden event what hides it; what is redacted is so for ever."""
    told = sorted(revocations, key=lambda event: event.kind == "redact")
    return {
        str(event.body["event"]): _Hiding(
            kind=event.kind, id=event.id, why=str(event.body.get("why", ""))
        )
        for event in told
    }


def _entry(reader: Reader, event: Event, hidings: Mapping[str, _Hiding]) -> _Entry:
    hiding, body = hidings.get(event.id), event.body
    is_gone = hiding is not None and hiding.kind == "redact"
    return _Entry(
        seq=event.seq,
        id=event.id,
        at=event.at,
        kind=event.kind,
        actor=event.actor,
        what="" if is_gone else _what(reader, event.kind, body),
        why=str(body.get("why", "")) if event.kind in REASONED else "",
        hidden_by=hiding,
    )


def _what(reader: Reader, kind: str, body: Body) -> str:
    """Say in one sentence what an event did; kinds that say nothing of their own give nothing."""
    told = ""
    match kind:
        case "project" | "discovered":
            told = body.get("title", "")
        case "plan":
            told = f"Revision {body['number']}, sha256 {body['sha256'][:SHA256_SHOWN]}"
        case "attempt":
            told = f"{body['task']}, by {body['holder']}"
        case "step" | "close":
            end = f" ({body['end']})" if "end" in body else ""
            about = body.get("plan_ref", "project")
            told = f"{about} {body['result']}{end}: {body.get('action', '')}"
        case "resolve":
            told = f"{body['task']}: {body['verb']}"
        case "reopen":
            told = f"{short_id(body['ruled_out'])} {_option(reader, body['ruled_out'])}"
        case "consolidated":
            told = f"The record begins after line {body['floor']}"
        case "retract" | "redact":
            told = short_id(body["event"])
    return sentence(told) if told else ""


def _option(reader: Reader, item: str) -> str:
    row = first(reader, CLAIM["ruled_out"], id=item)
    return str(row["what"]) if row else ""


def _shown(page: _Page, room: int) -> Iterator[str]:
    """Give lines while they fit; the first is shown in any case, so that a cursor moves on."""
    for at, entry in enumerate(page.entries):
        line = entry.line
        if size(line) >= room and at:
            return
        line = clip(line, room - 1)
        room -= size(line) + 1
        yield line


def _last(slug: str, left: int, seq: int) -> str:
    more = f"agentjournal history {slug} --audit --after {seq}"
    return left_out_line(Counter({"events": left}), more)
