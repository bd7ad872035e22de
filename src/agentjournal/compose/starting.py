"""Beginning a task: the naive plan is registered first, and only then is memory searched."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from agentjournal.compose.asking import ask, occasion
from agentjournal.compose.documents import open_documents
from agentjournal.compose.stamped import stamp_of
from agentjournal.engmem.answer.answer import CAP
from agentjournal.engmem.answer.request import SHOWN, SearchRequest
from agentjournal.engmem.answer.shown import ASIDE
from agentjournal.engmem.answer.spelled import ID, spelled
from agentjournal.engmem.document import version_of
from agentjournal.engmem.ledger.baseline import record_baseline
from agentjournal.engmem.ledger.cost_row import Baseline
from agentjournal.engmem.ritual.first_draft import WORDS, draft_id, first_draft, read_plan
from agentjournal.engmem.writing.creating import create_draft
from agentjournal.engmem.writing.refusal import checked_id
from agentjournal.errors import AgentJournalError, InputError
from agentjournal.text.bounded import size

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from agentjournal.compose.world import World
    from agentjournal.config.engmem import Mode
    from agentjournal.engmem.answer.answer import Answer
    from agentjournal.engmem.answer.shown import ShownHit
    from agentjournal.engmem.index.store_index import StoreIndex
    from agentjournal.engmem.ritual.first_draft import Plan

__all__ = ["StartRequest", "Started", "start"]

READING = 900  # bytes kept for the commands that read what was found
ROLES = ("decisions", "primer", "lessons")  # what usually settles the matter, in this order


@dataclass(frozen=True, kw_only=True)
class StartRequest:
    """A task in key terms, what standard input held, and what the client reported of the plan."""

    task: str
    plan: bytes
    mode: Mode
    id: str | None = None
    tokens: int | None = None
    seconds: float | None = None
    call_id: str | None = None
    names: tuple[str, ...] = ()
    unavailable: str = ""  # why no plan could be made blind


@dataclass(frozen=True)
class Started:
    """What to print: the draft, what to read, and the answer; and the same as values."""

    text: str
    data: Mapping[str, object]


@dataclass(frozen=True)
class _Place:
    """The store, where its index is kept, and the world."""

    root: Path
    cache_dir: Path
    world: World

    def index(self) -> StoreIndex:
        now = int(self.world.clock.now().timestamp() * 1e9)
        return open_documents(self.root, self.cache_dir, now=now)


def start(root: Path, cache_dir: Path, request: StartRequest, world: World) -> Started:
    """Register the plan in a draft, record what it took, then search and say what to read.

    Raises:
        InputError: research mode was given no plan: nothing is written, nothing searched.
        WriteRefused: the draft exists, or its id is none.
        NotFoundError: there is no store.
    """
    place = _Place(root, cache_dir, world)
    plan = _plan(request)
    id_, content = _draft(place, request, plan)
    _, *notes = create_draft(root, id_, content, mode=request.mode).split("\n")
    version, index = version_of(content), place.index()
    head = [
        _told(id_, version, request, plan),
        *notes,
        *_baseline(place, index, id_, request, plan),
    ]
    asked = SearchRequest(query=request.task, session=id_, names=request.names)
    room = CAP - size("\n".join(head)) - READING
    answer = ask(index, asked, occasion(root, cwd=world.cwd, now=world.clock.now()), room)
    reading = _reading(answer, id_)
    return Started(
        "\n".join([*head, *_within(reading, READING - 1), "", answer.text.removesuffix("\n")]),
        {
            "id": id_,
            "version": version,
            "mode": request.mode,
            "is_registered": plan is not None,
            "notes": head[1:],
            "read": [line.strip() for line in reading[1:]],
            "search": answer.data,
        },
    )


def _plan(request: StartRequest) -> Plan | None:
    """Read the plan; in research mode there is one, or a reason why there is none."""
    plan = read_plan(request.plan)
    if plan and request.unavailable:
        raise InputError(
            "engmem start: a plan and a reason why there is none were given.",
            next="Give one of the two.",
        )
    if plan is None and request.mode == "research" and not request.unavailable:
        raise InputError(
            "engmem start: in research mode the naive plan comes first, and standard input held "
            f"{_held(request)} — nothing was written or searched.",
            next="Give two or three lines, made before any search, on standard input; where that "
            "is too late, say why: --baseline-unavailable REASON.",
        )
    return plan


def _draft(place: _Place, request: StartRequest, plan: Plan | None) -> tuple[str, bytes]:
    """Give the draft's id and its bytes; without an id asked for it is the first that is free."""
    day = place.world.clock.now().date().isoformat()
    known = place.index().header
    free = (each for n in count(1) if not known(each := draft_id(request.task, day, n)))
    id_ = checked_id(request.id) if request.id else next(free)
    content = first_draft(
        id_,
        task=request.task,
        day=day,
        mode=request.mode,
        repos=_repository(place.world.cwd),
        plan=plan,
        tokens=request.tokens,
        unavailable=request.unavailable,
    )
    return id_, content


def _held(request: StartRequest) -> str:
    return f"fewer than {WORDS} words of one" if request.plan.strip() else "none"


def _told(id_: str, version: str, request: StartRequest, plan: Plan | None) -> str:
    registered = "the naive plan is registered" if plan else "no plan was registered"
    if plan is None and request.plan.strip():
        registered += f" (standard input held {_held(request)})"
    return (
        f"draft: sessions/{id_}.md (mode: {request.mode}, version: {version}): {registered}. "
        f"Pass --session {id_} on every engmem search and read, and --expected-version {version} "
        "to engmem draft complete."
    )


def _baseline(
    place: _Place, index: StoreIndex, id_: str, request: StartRequest, plan: Plan | None
) -> list[str]:
    """Record what the call that made the plan took; what cannot be recorded is told."""
    tokens = request.tokens if request.tokens or not plan else plan.tokens
    if not tokens and not request.seconds:
        return []
    given = Baseline(
        session=id_, tokens=tokens or None, seconds=request.seconds, call_id=request.call_id
    )
    try:
        return [record_baseline(place.root, index, given, stamp_of(place.world))]
    except AgentJournalError as error:
        return [f"note: baseline not recorded ({error.message})"]


def _reading(answer: Answer, session: str) -> list[str]:
    """Say which sections of which documents to read: reliable hits first, weak ones only alone."""
    hits = list(answer.hits)
    chosen = [hit for hit in hits if not hit.hit.is_weak] or hits
    lines = [
        f"  engmem read {spelled(hit.header.id, ID)}{_role(hit)} --session {session}"
        for hit in chosen[:SHOWN]
    ]
    return ["read by section, at most these, before you plan:", *lines] if lines else []


def _role(hit: ShownHit) -> str:
    """Name the section to begin with, and what else of it usually matters."""
    known = [role for role in ROLES if role in hit.header.roles]
    known += [each.role for each in hit.extracts if each.role and each.role not in ASIDE]
    return f" --role {known[0]}" if known else ""


def _within(lines: Sequence[str], cap: int) -> list[str]:
    kept = list(lines)
    while size("\n".join(kept)) >= cap:
        kept.pop()
    return kept


def _repository(cwd: Path) -> list[str]:
    """Name the repository one stands in, as documents link to it."""
    return [each.name for each in (cwd, *cwd.parents) if (each / ".git").exists()][:1]
