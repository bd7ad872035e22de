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
    """Give the last step that was logged under the attempt, as the form that closes it.

    What the step ruled out is in force already: the close's items supersede those of the step.
    """
    with log.database.snapshot() as reader:
        rows = reader.rows(SQL["last_own_step"], slug=slug, task=task, attempt=attempt)
        event = log.find(reader, str(rows[0]["id"])) if rows else None
    if event is None or event.hidden:
        return None
    body = event.body
    handoff = dict(cast("Mapping[str, object]", body.get("handoff") or {}))
    items = cast("list[dict[str, object]]", handoff.get("ruled_out") or [])
    handoff["ruled_out"] = [
        {**item, "supersedes": f"{event.id}#{place}"} for place, item in enumerate(items, 1)
    ]
    return {**{name: body[name] for name in FIELDS if name in body}, **handoff}
