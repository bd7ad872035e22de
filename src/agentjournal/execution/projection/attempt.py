"""Attempts as they open and close, and what a close or a person's word does to a task's facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.execution.projection.change import first
from agentjournal.storage.statement import load_statements
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from agentjournal.execution.projection.change import Body, Change
    from agentjournal.storage.database import Row, Transaction, Value

__all__ = ["Binding", "apply_attempt", "apply_close", "apply_resolve", "binding_of"]

SQL = load_statements("agentjournal.execution", "sql/fold/attempt.sql")
CLAIM = load_statements("agentjournal.execution", "sql/fold/claim.sql")

CRASHES = frozenset({"signal", "timeout", "no_stop_event"})
WHY_BYTES = 200


@dataclass(frozen=True)
class Binding:
    """The attempt that a step belongs to; `number` is None where it belongs to none."""

    number: int | None = None
    fence: int = 0
    is_late: bool = False
    is_quarantined: bool = False


def apply_attempt(tx: Transaction, change: Change) -> None:
    """Open the next attempt of a task."""
    body = change.body
    counted = first(tx, SQL["count_attempt"], slug=change.slug, task=body["task"])
    if counted is None:
        return
    tx.run(
        SQL["insert_attempt"],
        slug=change.slug,
        task=body["task"],
        number=counted["attempts"],
        fence=change.event.seq,
        id=change.event.id,
        token_sha256=body["token_sha256"],
        holder=body["holder"],
        actor=change.event.actor,
        revision=body.get("revision", 0),
        opened_at=change.event.at,
    )


def binding_of(tx: Transaction, change: Change) -> Binding:
    """Find the attempt of a step: by its token; a close without one ends the open attempt."""
    body, row = change.body, None
    if token := body.get("attempt"):
        row = first(tx, SQL["attempt_by_token"], slug=change.slug, token_sha256=token)
        if row is None:
            return Binding(is_quarantined=True)
    elif change.event.kind == "close":
        row = _open_attempt(tx, change.slug, body.get("plan_ref"))
    if row is None or row["task"] != body.get("plan_ref"):
        return Binding()
    is_late = row["closed_seq"] is not None
    return Binding(int(row["number"] or 0), int(row["fence"] or 0), is_late)


def apply_close(tx: Transaction, change: Change, binding: Binding) -> None:
    """Close the attempt and write what that did to its task's facts; a late one does nothing."""
    slug, task = change.slug, change.body.get("plan_ref")
    before = first(tx, SQL["task"], slug=slug, task=task)
    if binding.number is None or binding.is_late or before is None:
        return
    tx.run(
        SQL["close_attempt"],
        slug=slug,
        task=task,
        number=binding.number,
        seq=change.event.seq,
        end_reason=change.body.get("end"),
        result=change.body["result"],
    )
    tx.run(SQL["set_facts"], slug=slug, task=task, **_facts(tx, change, binding, before))


def apply_resolve(tx: Transaction, change: Change) -> None:
    """Keep a person's word: a fresh count, or done, or skipped."""
    body = change.body
    at = {"slug": change.slug, "task": body["task"], "seq": change.event.seq}
    if body["verb"] == "retry":
        tx.run(SQL["retry"], **at)
    else:
        why = one_line(body.get("why", ""), WHY_BYTES) or None
        tx.run(SQL["resolve"], **at, resolution=body["verb"], why=why)


def _open_attempt(tx: Transaction, slug: str, task: str | None) -> Row | None:
    row = first(tx, SQL["task"], slug=slug, task=task)
    number = row["open_attempt"] if row else None
    return first(tx, SQL["attempt_by_number"], slug=slug, task=task, number=number)


def _facts(tx: Transaction, change: Change, binding: Binding, before: Row) -> dict[str, Value]:
    body, end = change.body, change.body.get("end")
    counts = end != "spawn_failed"
    mark = body.get("fingerprint")
    handoff = body.get("handoff", {})
    return {
        "closes": int(before["closes"] or 0) + counts,
        "crashes": int(before["crashes"] or 0) + (end in CRASHES),
        "contracts_missing": int(before["contracts_missing"] or 0) + (end == "contract_missing"),
        "last_result": body["result"],
        "last_end": end,
        "last_step": change.event.id,
        "last_seq": change.event.seq,
        "fingerprint": mark,
        "is_same_fingerprint": int(mark is not None and mark == before["fingerprint"]),
        "has_new_ruled_out": int(_rules_out_more(tx, change, binding)),
        "has_question_only": int(
            bool(handoff.get("open_questions")) and not handoff.get("ruled_out")
        ),
        "why": one_line(_why(body), WHY_BYTES) or None,
    }


def _rules_out_more(tx: Transaction, change: Change, binding: Binding) -> bool:
    """Say whether the attempt ruled out for its task what was not ruled out when it was opened."""
    at = {"slug": change.slug, "task": change.body["plan_ref"], "fence": binding.fence}
    before = {row["what"] for row in tx.rows(CLAIM["ruled_out_before"], **at)}
    return any(row["what"] not in before for row in tx.rows(CLAIM["ruled_out_since"], **at))


def _why(body: Body) -> str:
    """Give the text that says best why the task is not done."""
    handoff = body.get("handoff", {})
    if body["result"] == "success":
        return ""
    if body["result"] == "skipped":
        return str(handoff.get("current_state", ""))
    if body["result"] == "failed":
        for item in handoff.get("ruled_out", ()):
            return f"{item['option']}: {item['why']}"
        for question in handoff.get("open_questions", ()):
            return str(question)
    return str(handoff.get("next_step") or body.get("action", ""))
