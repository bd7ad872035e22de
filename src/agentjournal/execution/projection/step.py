"""Steps, with what they touched, left behind and considered at gates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.execution.projection.attempt import SQL as ATTEMPT
from agentjournal.execution.projection.attempt import apply_close, binding_of
from agentjournal.execution.projection.change import first
from agentjournal.execution.projection.claim import apply_claims
from agentjournal.execution.projection.record import apply_close_line
from agentjournal.storage.statement import load_statements
from agentjournal.text.canonical import canonical_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.execution.projection.attempt import Binding
    from agentjournal.execution.projection.change import Body, Change
    from agentjournal.storage.database import Transaction, Value

__all__ = ["apply_step"]

SQL = load_statements("agentjournal.execution", "sql/fold/step.sql")
PROJECT = load_statements("agentjournal.execution", "sql/fold/project.sql")

FAULTS_TOLD = 3  # to the next worker


def apply_step(tx: Transaction, change: Change) -> None:
    """Keep a step; one with an unknown token is counted, and nothing else of it is used."""
    binding = binding_of(tx, change)
    tx.run(SQL["insert_step"], **_row(tx, change, binding))
    if binding.is_quarantined:
        tx.run(PROJECT["count_quarantined"], slug=change.slug)
        return
    tx.many(SQL["put_touch"], _touches(change))
    tx.many(SQL["insert_artifact"], _artifacts(change))
    tx.many(SQL["insert_gate"], _gates(change, binding))
    apply_claims(tx, change)
    if change.event.kind == "close":
        apply_close(tx, change, binding)
        apply_close_line(tx, change, binding)


def _row(tx: Transaction, change: Change, binding: Binding) -> dict[str, Value]:
    body, event = change.body, change.event
    return {
        "id": event.id,
        "slug": change.slug,
        "seq": event.seq,
        "kind": event.kind,
        "task": body.get("plan_ref"),
        "attempt": binding.number,
        "revision": body.get("revision", 0),
        "actor": event.actor,
        "at": event.at,
        "action": body.get("action", ""),
        "result": body["result"],
        "end_reason": body.get("end"),
        "is_late": int(binding.is_late),
        "is_quarantined": int(binding.is_quarantined),
        "is_hidden": int(change.is_hidden),
        "handoff": _handoff(tx, change),
        "is_handed_off": int(_is_handed_off(body)),
        "faults": canonical_json(body["faults"][:FAULTS_TOLD]) if "faults" in body else None,
        "parent": body.get("parent_id"),
    }


def _is_handed_off(body: Body) -> bool:
    """Say whether somebody said where things stand: last words of an output do not."""
    says = {"current_state", "next_step"} & body.get("handoff", {}).keys()
    return bool(says) and not body.get("is_last_words")


def _handoff(tx: Transaction, change: Change) -> str | None:
    """Give the handoff; a goal that was left out is the task's title."""
    handoff = change.body.get("handoff")
    if handoff is None:
        return None
    if "goal" not in handoff:
        task = first(tx, ATTEMPT["task"], slug=change.slug, task=change.body.get("plan_ref"))
        handoff = handoff | ({"goal": task["title"]} if task and task["title"] else {})
    return canonical_json(handoff)


def _touches(change: Change) -> Iterator[dict[str, Value]]:
    if task := change.body.get("plan_ref"):
        for touch in change.body.get("touches", ()):
            yield {
                "slug": change.slug,
                "kind": touch["kind"],
                "name": touch["name"],
                "task": task,
                "origin": "done",
                "seq": change.event.seq,
            }


def _artifacts(change: Change) -> Iterator[dict[str, Value]]:
    for position, artifact in enumerate(change.body.get("artifacts", ()), start=1):
        yield {
            "slug": change.slug,
            "step": change.event.id,
            "position": position,
            "task": change.body.get("plan_ref"),
            "kind": artifact["kind"],
            "ref": artifact["ref"],
            "note": artifact.get("note"),
        }


def _gates(change: Change, binding: Binding) -> Iterator[dict[str, Value]]:
    for position, gate in enumerate(change.body.get("gate_events", ()), start=1):
        yield {
            "id": f"{change.event.id}!{position}",
            "slug": change.slug,
            "seq": change.event.seq,
            "task": change.body.get("plan_ref"),
            "attempt": binding.number,
            "category": gate["category"],
            "operation": gate["operation"],
            "decision": gate["decision"],
            "outcome": "ran" if gate["decision"] == "in_scope" else "not_run",
            "why": gate["why"],
        }
