"""What is kept of a worker that ended without a valid handoff: what is valid, and its words."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from agentjournal.execution.ending import text_of
from agentjournal.execution.fields import LOG_BYTES
from agentjournal.execution.payload import (
    Payload,
    observed_facts,
    without_broken,
    without_secrets,
)
from agentjournal.execution.salvage import salvage
from agentjournal.text.bounded import size
from agentjournal.text.redact import redact_value
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agentjournal.execution.ending import Ending
    from agentjournal.execution.handed import Handed
    from agentjournal.execution.projection.change import Body
    from agentjournal.execution.salvage import Salvaged

__all__ = ["cut_middle", "kept"]

_SEARCHED = 4 * LOG_BYTES  # secrets are looked for in this much of both ends together
_FAULTS = 20
_FAULT_BYTES = 300
_LAST_BYTES = 300
_ACTIONS = {
    "contract_missing": "Ended without a valid handoff",
    "exit_nonzero": "Failed before a valid handoff",
    "signal": "Was killed before a valid handoff",
    "timeout": "Ran out of time before a valid handoff",
    "no_stop_event": "Vanished without a word",
    "spawn_failed": "Could not be started",
}


def kept(ending: Ending, handed: Handed, blobs: Mapping[str, str] | None = None) -> Payload:
    """Make the `partial` close that keeps what is valid as it is and the rest as text.

    The text has at most 64 KiB, cut in the middle. Where nothing was handed off, the last words of
    the output stand in its place.
    """
    saved = salvage(handed.fields, handed.refused)
    handoff = saved.handoff or _last_words(ending.output)
    faults = [one_line(str(fault), _FAULT_BYTES) for fault in handed.faults[:_FAULTS]]
    rest, hidden = redact_value(dict(saved.rest))  # before quotes are escaped, which hides secrets
    log, replaced = without_broken(_log(ending, handed, saved, cast("Body", rest), faults))
    given = {
        "plan_ref": ending.plan_ref,
        "attempt": ending.attempt,
        "action": _action(ending),
        **saved.others,
        "result": "partial",
        "started_at": ending.started_at,
        "ended_at": ending.ended_at,
        "handoff": handoff,
        "is_last_words": bool(handoff) and not saved.handoff,
        "log": cut_middle(log, _SEARCHED),
        "faults": faults,
    }
    body, redacted = without_secrets({k: v for k, v in given.items() if v})
    if "log" in body:
        body["log"] = cut_middle(body["log"], LOG_BYTES)
    return Payload(
        id=ending.id,
        slug=ending.project_slug,
        actor=ending.actor,
        at=ending.ended_at,
        body={"v": 1, **body, **observed_facts(handoff, blobs)},
        redacted=tuple(dict.fromkeys([*hidden, *redacted])),
        replaced=replaced,
    )


def _log(ending: Ending, handed: Handed, saved: Salvaged, rest: Body, faults: Sequence[str]) -> str:
    parts = {
        "Why it is no valid handoff": "\n".join(faults),
        "What was written": handed.text,
        "What of it is only text": text_of(rest) if rest else "",
        "Its log": saved.log,
        "Last output": ending.output,
    }
    return "\n\n".join(f"{head}:\n{text}" for head, text in parts.items() if text)


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


def _last_words(output: str) -> dict[str, object]:
    """Give the last line of an output that says something as the state that it left."""
    lines = (line for line in reversed(output.splitlines()) if any(map(str.isalnum, line)))
    said = next(lines, "")
    return {"current_state": one_line(f"Last output: {said}", _LAST_BYTES)} if said else {}


def _action(ending: Ending) -> str:
    action = _ACTIONS.get(ending.end, _ACTIONS["contract_missing"])
    if ending.exit_status is None:
        return action
    return f"{action} (exit {ending.exit_status})"
