"""What is ruled out and what was decided, with the words by which both are found."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from agentjournal.execution.projection.change import first
from agentjournal.execution.projection.record import apply_reopened_line
from agentjournal.search.words import words
from agentjournal.storage.statement import load_statements
from agentjournal.text.canonical import canonical_json

if TYPE_CHECKING:
    from agentjournal.execution.projection.change import Body, Change
    from agentjournal.storage.database import Transaction, Value

__all__ = ["apply_claims", "apply_reopen"]

SQL = load_statements("agentjournal.execution", "sql/fold/claim.sql")


def apply_claims(tx: Transaction, change: Change) -> None:
    """Keep a step's ruled-out options and decisions."""
    handoff = change.body.get("handoff", {})
    for position, item in enumerate(handoff.get("ruled_out", ()), start=1):
        _rule_out(tx, change, position, item)
    for position, item in enumerate(handoff.get("decisions", ()), start=1):
        _decide(tx, change, position, item)


def apply_reopen(tx: Transaction, change: Change) -> None:
    """Take an option out of the ruled-out ones by a person's word, and say so in the record."""
    item = str(change.body.get("ruled_out", ""))
    tx.run(SQL["supersede"], id=item, slug=change.slug, superseded_by=change.event.id)
    is_there = first(tx, SQL["ruled_out"], id=item) is not None
    apply_reopened_line(tx, change, item.partition("#")[0], is_shown=is_there)


def _rule_out(tx: Transaction, change: Change, position: int, item: Body) -> None:
    """Keep one option, unless exactly that is in force already: workers repeat their own steps."""
    row = _claim(change, f"{change.event.id}#{position}", position)
    told = {"what": item["option"], "why": item["why"], "reopen_if": item.get("reopen_if")}
    old = item.get("supersedes")
    if old is None and first(tx, SQL["same_ruled_out"], **row | told):
        return
    tx.run(
        SQL["insert_ruled_out"],
        **row | told,
        observed=change.body.get("observed", {}).get(str(position)),
        supersedes=old,
    )
    if old is not None:
        tx.run(SQL["supersede"], id=old, slug=change.slug, superseded_by=row["id"])
    _index(tx, row, item["option"], [item["why"]])


def _decide(tx: Transaction, change: Change, position: int, item: Body) -> None:
    row = _claim(change, f"{change.event.id}/{position}", position)
    tx.run(
        SQL["insert_decision"],
        **row,
        point=item["point"],
        options=canonical_json(item["options"]),
        chosen=item["chosen"],
        why=item["why"],
        would_gate=item.get("would_gate"),
    )
    _index(tx, row, item["point"], [*item["options"], item["chosen"], item["why"]])


def _claim(change: Change, id: str, position: int) -> dict[str, Value]:  # noqa: A002 - the column
    return {
        "id": id,
        "slug": change.slug,
        "seq": change.event.seq,
        "position": position,
        "task": change.body.get("plan_ref"),
        "actor": change.event.actor,
        "revision": change.body.get("revision", 0),
    }


def _index(tx: Transaction, row: dict[str, Value], head: str, rest: list[str]) -> None:
    """Keep how often each word occurs; those of the head count twice."""
    weights = Counter(words(head)) + Counter(words(" ".join([head, *rest])))
    at = {"claim": row["id"], "slug": row["slug"]}
    tx.many(
        SQL["insert_word"],
        ({"word": word, "weight": weights[word], **at} for word in sorted(weights)),
    )
