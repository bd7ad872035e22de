"""What is kept of a worker that ended without a valid handoff: its words, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.execution.fields import LOG_BYTES
from agentjournal.execution.payload import Payload, without_broken, without_secrets
from agentjournal.text.bounded import size
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.errors import Fault
    from agentjournal.execution.ending import Ending

__all__ = ["cut_middle", "kept"]

_SEARCHED = 4 * LOG_BYTES  # secrets are looked for in this much of both ends together
_FAULTS = 20
_FAULT_BYTES = 300
_ACTIONS = {
    "contract_missing": "Ended without a valid handoff",
    "exit_nonzero": "Failed before a valid handoff",
    "signal": "Was killed before a valid handoff",
    "timeout": "Ran out of time before a valid handoff",
    "no_stop_event": "Vanished without a word",
    "spawn_failed": "Could not be started",
}


def kept(ending: Ending, written: str, faults: Sequence[Fault]) -> Payload:
    """Make the `partial` close that keeps everything as text, at most 64 KiB, cut in the middle."""
    lines = [one_line(str(fault), _FAULT_BYTES) for fault in faults[:_FAULTS]]
    parts = {
        "Why it is no valid handoff": "\n".join(lines),
        "What was written": written,
        "Last output": ending.output,
    }
    whole = "\n\n".join(f"{head}:\n{text}" for head, text in parts.items() if text)
    log, replaced = without_broken(whole)
    given = {
        "v": 1,
        "plan_ref": ending.plan_ref,
        "attempt": ending.attempt,
        "action": _action(ending),
        "result": "partial",
        "started_at": ending.started_at,
        "ended_at": ending.ended_at,
        "log": cut_middle(log, _SEARCHED),
        "faults": lines,
    }
    body, redacted = without_secrets({k: v for k, v in given.items() if v})
    if "log" in body:
        body["log"] = cut_middle(body["log"], LOG_BYTES)
    return Payload(
        id=ending.id,
        slug=ending.project_slug,
        actor=ending.actor,
        at=ending.ended_at,
        body=body,
        redacted=redacted,
        replaced=replaced,
    )


def cut_middle(text: str, cap: int) -> str:
    """Keep both ends of a text within a cap of bytes, and say between them how long it was."""
    total = size(text)
    if total <= cap:
        return text
    data = text.encode()
    mark = f"\n[... {total} bytes, cut in the middle to {cap} ...]\n"
    room = cap - size(mark)
    head = data[: room - room // 2].decode(errors="ignore")
    tail = data[total - room // 2 :].decode(errors="ignore")
    return head + mark + tail


def _action(ending: Ending) -> str:
    action = _ACTIONS.get(ending.end, _ACTIONS["contract_missing"])
    if ending.exit_status is None:
        return action
    return f"{action} (exit {ending.exit_status})"
