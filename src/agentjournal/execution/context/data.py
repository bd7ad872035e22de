"""A task's context as plain data, from the same values as its text."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentjournal.execution.context.model import Found, Related, TaskContext
    from agentjournal.execution.observed import Observed

__all__ = ["context_data"]


def context_data(context: TaskContext, observed: Observed) -> dict[str, object]:
    """Give every value that was read; `unread` counts what the store holds besides."""
    return {
        "project": context.project,
        "task": context.task,
        "title": context.title,
        "revision": context.revision,
        "is_drifted": context.is_drifted,
        "observed": observed.data,
        "ruled_out": [asdict(item) for item in context.ruled_out.rows],
        "latest": vars(context.latest) if context.latest else None,
        "attempts": [vars(step) for step in context.attempts.rows],
        "dependencies": _related(context.dependencies),
        "neighbours": _related(context.neighbours),
        "gates": [asdict(gate) for gate in context.gates.rows],
        "answer": asdict(context.answer) if context.answer else None,
        "children": list(context.children),
        "text": context.body,
        "text_bytes": context.body_bytes,
        "unread": {
            "ruled_out": context.ruled_out.unread,
            "attempts": context.attempts.unread,
            "dependencies": context.dependencies.unread,
            "neighbours": context.neighbours.unread,
            "gates": context.gates.unread,
        },
    }


def _related(found: Found[Related]) -> list[dict[str, object]]:
    return [
        vars(each.step)
        | {
            "shared": each.shared,
            "shared_name": each.shared_name,
            "ruled_out": [asdict(item) for item in each.ruled_out.rows],
        }
        for each in found.rows
    ]
