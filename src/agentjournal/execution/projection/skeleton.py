"""What stays of a payload when its text is taken back: ids, numbers and closed words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentjournal.execution.projection.change import Body

__all__ = ["skeleton"]

_STEP = (
    "v",
    "plan_ref",
    "attempt",
    "revision",
    "result",
    "started_at",
    "ended_at",
    "parent_id",
    "token_usage",
    "end",
    "exit_status",
    "fingerprint",
)
_KEPT = {
    "project": ("v", "slug", "repository"),
    "plan": ("v", "number", "sha256", "path"),
    "attempt": ("v", "task", "token_sha256", "holder", "revision"),
    "step": _STEP,
    "close": _STEP,
    "discovered": ("v", "from_task"),
    "resolve": ("v", "task", "verb"),
    "reopen": ("v",),
    "consolidated": ("v", "floor"),
    "retract": ("v", "event"),
    "redact": ("v", "event"),
}
_TASK = (
    "id",
    "section_place",
    "rank",
    "place",
    "depends",
    "explicit",
    "parent",
    "optional",
    "container",
    "parallel",
    "done",
)


def skeleton(kind: str, body: Body) -> Body:
    """Keep what the order of things needs and no free text; doing it twice changes nothing."""
    kept = _pick(body, _KEPT.get(kind, ("v",)))
    if kind == "plan":
        return kept | {"tasks": [_pick(task, _TASK) for task in body.get("tasks", ())]}
    return kept


def _pick(body: Body, names: tuple[str, ...]) -> dict[str, object]:
    return {name: body[name] for name in names if name in body}
