"""A handoff that a worker logged itself, for where it left none in its file or output."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.log.log import Log

__all__ = ["own_step"]

SQL = load_statements(__package__, "sql/own_step.sql")
FIELDS = frozenset(
    {"action", "result", "log", "artifacts", "touches", "gate_events", "token_usage"}
)


def own_step(log: Log, slug: str, task: str, attempt: int) -> Mapping[str, object] | None:
    """Give the last step that was logged under the attempt, as the form that closes it."""
    with log.database.snapshot() as reader:
        rows = reader.rows(SQL["last_own_step"], slug=slug, task=task, attempt=attempt)
        event = log.find(reader, str(rows[0]["id"])) if rows else None
    if event is None or event.hidden:
        return None
    handoff = cast("Mapping[str, object]", event.body.get("handoff") or {})
    return {name: event.body[name] for name in FIELDS if name in event.body} | dict(handoff)
