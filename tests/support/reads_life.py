"""A project with everything that a read can show, written through the public doors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.execution.closing import close_attempt
from agentjournal.execution.contract import read_step, token_digest
from agentjournal.execution.ending import Ending
from agentjournal.execution.opening import Opening
from agentjournal.execution.resolve import discover, resolve
from agentjournal.log.event import draft
from support.execution import AT, claim, ids, project, task, token, uuid, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.execution.logged import Logged
    from agentjournal.execution.step import Step
    from agentjournal.log.event import Draft
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Database

SLUG = "demo"
RETRY = """Retry failed deliveries with back-off
A delivery that fails is tried again: at most five times, with jitter, never twice at once.
Depends on: T-001
Files: `src/retry.py`, `src/store.py`
Verify: `pytest tests/test_retry.py`"""


def lively(database: Database) -> Log:
    """Give a log in which T-003 was tried twice, T-004 is gated, T-005 runs, T-007 waits."""
    log = project(
        database,
        task("T-001", 1, title="Store deliveries", files=("src/store.py",)),
        task("T-002", 2, title="Sign deliveries", files=("src/sign.py", "src/store.py")),
        task("T-003", 3, title="Retry failed deliveries with back-off", text=RETRY,
             depends=("T-001",), files=("src/retry.py", "src/store.py")),
        task("T-004", 4, title="Rotate the signing secret", services=("vault",)),
        task("T-005", 5, title="Show deliveries on a page", files=("web/page.py",)),
        task("6", 6, title="Documentation", is_container=True, rank=2),
        task("6.1", 7, title="Write the how-to", parent="6", rank=2),
        task("6.2", 8, title="Draw the flow", parent="6", rank=2, is_optional=True),
        task("T-007", 9, title="Release", rank=3),
    )  # fmt: skip
    write(log, _step(1, "T-001", current_state="Table `delivery` in src/store.py; tests pass.",
                     decisions=[_STORE], touches=[_file("src/store.py")],
                     ruled_out=[_out("One JSON file", "two workers overwrite each other")]))  # fmt: skip
    write(log, _failed(2, "T-002", action="Tried to sign in the database",
                       current_state="Nothing is signed.", next_step="Sign in src/sign.py.",
                       touches=[_file("src/store.py"), _file("src/sign.py")],
                       ruled_out=[_out("Sign by a trigger", "no HMAC without an extension")]))  # fmt: skip
    _retried(log)
    write(log, _step(5, "T-004", result="gated", actor="worker-4",
                     action="Stopped before the vault", current_state="The new key is made.",
                     next_step="A person writes it to the vault.", gate_events=[_VAULT]))  # fmt: skip
    claim(log, 6, task="T-005", actor="worker-5")
    discover(log, SLUG, "Deliveries are never deleted", from_task="T-001", event_id=uuid(0x70001),
             actor="worker-1", at=AT)  # fmt: skip
    _end(log, 7, "T-002", attempt=99, end="no_stop_event")  # an unknown token: quarantined
    return log


def answered(log: Log) -> None:
    """Give a person's word on the gated task."""
    why = "The key is in the vault since this morning."
    resolve(log, SLUG, "T-004", "retry", why, event_id=uuid(0x70002), actor="ada", at=AT)


def append_closes(log: Log, closes: Sequence[tuple[int, str, dict[str, object]]]) -> None:
    """Append many attempts and successes in one transaction: number, task and handoff of each."""
    drafts = [
        each for number, task_id, handoff in closes for each in _close(number, task_id, handoff)
    ]
    with log.database.transaction() as tx:
        log.lock_stream(tx, f"project/{SLUG}")
        log.append(tx, drafts)


def _close(number: int, task_id: str, handoff: dict[str, object]) -> list[Draft]:
    opening = Opening(
        id=uuid(0x60000 + number), slug=SLUG, task=task_id, actor="worker-1", at=AT, revision=1
    )
    body = {
        "v": 1,
        "plan_ref": task_id,
        "revision": 1,
        "action": f"Did step {number}",
        "result": "success",
        "end": "by_hand",
        "handoff": handoff,
    }
    close = draft(
        stream=f"project/{SLUG}",
        id=uuid(0x40000 + number),
        kind="close",
        actor="worker-1",
        at=AT,
        payload=body,
        turn=f"{task_id} success (worker-1): Did step {number}",
    )
    return [opening.draft(), close]


def _retried(log: Log) -> None:
    """Let T-003 fail, crash, and answer late."""
    claim(log, 3, task="T-003", actor="worker-2")
    _end(log, 3, "T-003", attempt=3, actor="worker-2", written={
        "result": "failed", "action": "Polled the table every second",
        "current_state": "Polling works but costs 86,400 queries a day.",
        "next_step": "Let the sender schedule its own next try.",
        "ruled_out": [_out("Poll every second", "86,400 queries a day for ten deliveries"),
                      _out("A cron job", "the container has no cron",
                           reopen_if="path Dockerfile changes")],
        "open_questions": ["May a delivery be dropped after five tries?"]})  # fmt: skip
    claim(log, 4, task="T-003", actor="worker-3")
    _end(log, 4, "T-003", attempt=4, actor="worker-3", end="signal", exit_status=-9)
    _end(log, 8, "T-003", attempt=4, actor="worker-3", written={
        "result": "partial", "action": "Wrote the schedule, not the jitter",
        "current_state": "src/retry.py schedules five tries; no jitter yet.",
        "next_step": "Add jitter.",
        "ruled_out": [_out("A thread per delivery", "200 threads at noon",
                           reopen_if="library anyio >= 5.0")]})  # fmt: skip


_STORE = {
    "point": "Where deliveries are kept",
    "options": ["a table", "a JSON file"],
    "chosen": "a table",
    "why": "two workers write at once",
    "would_gate": "a new service",
}
_VAULT = {
    "category": "secrets",
    "operation": "vault write signing/key",
    "decision": "deny",
    "why": "It replaces a secret that others use.",
}


def _step(number: int, task_id: str, **fields: object) -> Step:
    given = {"result": "success", "action": "Did it", **fields}
    defaults = {
        "id": uuid(0x10000 + number),
        "project_slug": SLUG,
        "plan_ref": task_id,
        "actor": "worker-1",
        "ended_at": AT,
    }
    return read_step(given, source="log", defaults=defaults)


def _failed(number: int, task_id: str, **fields: object) -> Step:
    return _step(number, task_id, result="failed", **fields)


def _end(
    log: Log,
    number: int,
    task_id: str,
    *,
    attempt: int,
    actor: str = "worker-9",
    written: dict[str, object] | None = None,
    end: str = "contract_missing",
    exit_status: int | None = 0,
) -> Logged:
    ending = Ending(
        id=uuid(0x20000 + number),
        project_slug=SLUG,
        plan_ref=task_id,
        attempt=token_digest(token(attempt)),
        actor=actor,
        ended_at=AT,
        end=end,
        exit_status=exit_status,
    )
    return close_attempt(log, ending, written, new_id=ids(0x30000 + number * 16))


def _file(name: str) -> dict[str, str]:
    return {"kind": "file", "name": name}


def _out(option: str, why: str, **more: str) -> dict[str, str]:
    return {"option": option, "why": why, **more}
