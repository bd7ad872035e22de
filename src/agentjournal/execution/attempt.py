"""Opening attempts: of many claimants exactly one gets the task, for as long as its lease."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from agentjournal.errors import ConflictError
from agentjournal.execution.certain import certain
from agentjournal.execution.contract import token_digest
from agentjournal.execution.fields import ENVELOPE, TOKEN
from agentjournal.execution.opening import Opening
from agentjournal.execution.placing import revision_of
from agentjournal.execution.policy import Limits
from agentjournal.execution.projection.change import first
from agentjournal.execution.references import project_faults, task_faults
from agentjournal.execution.rules import Pattern, Shape, Word, refuse
from agentjournal.execution.status import statuses
from agentjournal.execution.task import load_facts, load_leases
from agentjournal.storage.statement import load_statements
from agentjournal.system.clock import parse_timestamp, timestamp

if TYPE_CHECKING:
    from agentjournal.execution.opening import Holder
    from agentjournal.log.event import Draft
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Reader, Row, Transaction, Value

__all__ = [
    "Claim",
    "Held",
    "LeaseFor",
    "NotReady",
    "Opened",
    "heartbeat",
    "open_attempt",
    "set_worker",
]

ATTEMPT = load_statements("agentjournal.execution", "sql/fold/attempt.sql")
LEASE = load_statements("agentjournal.execution", "sql/write/lease.sql")
REFERENCE = load_statements("agentjournal.execution", "sql/write/reference.sql")

DEFAULT_LIMITS = Limits()
_CLAIM = Shape(
    {
        "claim_id": ENVELOPE["id"],
        "token": Pattern(TOKEN, "is an attempt token", "Mint one.", is_secret=True),
        "holder": Word(("wrapper", "hook", "hand")),
        "actor": ENVELOPE["actor"],
    },
    frozenset({"claim_id", "token", "holder", "actor"}),
)


@dataclass(frozen=True, kw_only=True)
class LeaseFor:
    """How long an attempt is held without a heartbeat, and by which process on which machine."""

    seconds: int
    host: str
    boot: str
    pid: int | None = None
    started: str | None = None


@dataclass(frozen=True, kw_only=True)
class Opened:
    """The attempt is the claimant's; `fence` orders the attempts of the whole project."""

    number: int
    fence: int
    revision: int
    is_repeat: bool = False


@dataclass(frozen=True)
class Held:
    """Somebody else has the task; a lease that ran out stands until the reaper closes it."""

    actor: str
    until: str


@dataclass(frozen=True)
class NotReady:
    """The task's status does not allow an attempt; `status` says which it is and why."""

    status: str


Claim = Opened | Held | NotReady


def open_attempt(  # noqa: PLR0913 - the parts of a claim
    log: Log,
    *,
    slug: str,
    task: str,
    claim_id: str,
    token: str,
    holder: Holder,
    actor: str,
    at: str,
    lease: LeaseFor,
    limits: Limits = DEFAULT_LIMITS,
) -> Claim:
    """Claim a task. Claim id and token are minted before the first try and kept for retries.

    The same claim id with the same token gives the first answer, whatever happened since.

    Raises:
        InputError: a value breaks its rule, or there is no such project or task.
        ConflictError: the claim id was used with another token.
    """
    given = {"claim_id": claim_id, "token": token, "holder": holder, "actor": actor}
    refuse("The claim", list(_CLAIM.faults("", given)))
    with log.database.snapshot() as reader:
        refuse("The claim", list(project_faults(reader, slug)))
        drafted = Opening(
            id=claim_id,
            slug=slug,
            task=task,
            actor=actor,
            at=at,
            revision=revision_of(reader, slug, None),
            holder=holder,
            token_sha256=token_digest(token),
        ).draft()
        seen = first(reader, REFERENCE["standing"], slug=slug, task=task)
        if answer := _answer(reader, drafted, slug, limits):
            return answer

    def claim() -> Claim:
        with log.database.transaction() as tx:
            log.lock_stream(tx, drafted.stream)
            has_changed = first(tx, REFERENCE["standing"], slug=slug, task=task) != seen
            answer = _answer(tx, drafted, slug, limits) if has_changed else None
            return answer or _open(log, tx, drafted, lease)

    return certain(claim)


def _answer(reader: Reader, drafted: Draft, slug: str, limits: Limits) -> Claim | None:
    """Give the answer that needs no write: repeated, held or not ready; None where it is free.

    Looking at the whole plan takes long, so it is done before the queue is entered, and again in it
    only where the task has changed meanwhile.
    """
    task = str(drafted.body["task"])
    if repeated := _repeated(reader, drafted):
        return repeated
    refuse("The claim", list(task_faults(reader, slug, task, field="task")))
    if row := first(reader, LEASE["held"], slug=slug, task=task):
        return Held(str(row["actor"]), str(row["until"] or ""))
    facts, leases = load_facts(reader, slug), load_leases(reader, slug)
    status = statuses(facts, leases, limits, reader.now())[task]
    return None if status.is_dispatchable else NotReady(str(status))


def heartbeat(log: Log, *, slug: str, task: str, number: int, seconds: int) -> bool:
    """Extend a lease by the database's clock; False where the attempt is not open any more."""
    with log.database.transaction() as tx:
        now = tx.now()
        until = _later(now, seconds)
        at: dict[str, Value] = {"slug": slug, "task": task, "attempt": number}
        return tx.run(LEASE["beat"], **at, until=until, beat_at=now) > 0


def set_worker(  # noqa: PLR0913 - the columns
    log: Log, *, slug: str, task: str, number: int, pid: int, started: str
) -> None:
    """Say which process group does the work, so that a reaper can end exactly that one."""
    with log.database.transaction() as tx:
        at: dict[str, Value] = {"slug": slug, "task": task, "attempt": number}
        tx.run(LEASE["set_worker"], **at, worker_pid=pid, worker_started=started)


def _repeated(reader: Reader, drafted: Draft) -> Opened | None:
    row = first(reader, REFERENCE["claimed"], id=drafted.id)
    if row is None:
        return None
    body = drafted.body
    if (row["task"], row["token_sha256"]) != (body["task"], body["token_sha256"]):
        raise ConflictError(
            f"The claim {drafted.id} was made before, with another token or for another task.",
            next="Mint a new claim id and token.",
        )
    return _opened(row, is_repeat=True)


def _open(log: Log, tx: Transaction, drafted: Draft, lease: LeaseFor) -> Opened:
    log.append(tx, [drafted])
    row = first(tx, REFERENCE["claimed"], id=drafted.id) or {}
    now = tx.now()
    tx.run(
        LEASE["put_lease"],
        slug=row["slug"],
        task=row["task"],
        attempt=row["number"],
        until=_later(now, lease.seconds),
        beat_at=now,
        host=lease.host,
        boot=lease.boot,
        pid=lease.pid,
        started=lease.started,
    )
    return _opened(row)


def _opened(row: Row, *, is_repeat: bool = False) -> Opened:
    return Opened(
        number=int(row["number"] or 0),
        fence=int(row["fence"] or 0),
        revision=int(row["revision"] or 0),
        is_repeat=is_repeat,
    )


def _later(now: str, seconds: int) -> str:
    return timestamp(parse_timestamp(now) + timedelta(seconds=seconds))
