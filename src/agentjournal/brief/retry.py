"""What a worker must know when its task was tried before: how it came back, and what was invalid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agentjournal.brief.contain import framed, plain_line
from agentjournal.text.bounded import size
from agentjournal.text.canonical import parse_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.storage.database import Row

_LEFTOVERS = "Files of earlier attempts may lie there half done: look before you build on them."
_LABEL = "how earlier attempts came back"


def render_retry(attempt: int, returns: Sequence[Row], cap_bytes: int) -> str:
    """Write the retry context from closes of the task, oldest first; empty where there are none.

    The last return gets its room first, then what was not valid in what was handed off.
    """
    if not returns:
        return ""
    head = f"This is attempt {attempt} of this task. {_LEFTOVERS}\n"
    room = cap_bytes - size(head)
    free = room - size(framed(_LABEL, "", room))
    faults = _faults(returns)
    last, *others = _shared([_return(returns[-1]), *faults, *map(_return, returns[:-1])], free)
    lines = [*others[len(faults) :], last, *others[: len(faults)]]
    return head + framed(_LABEL, "\n".join(lines), room)


def _shared(texts: Sequence[str], room: int) -> list[str]:
    """Give each text as a line within its share of the room; what one leaves is the others'."""
    lines: list[str] = []
    for left, text in zip(range(len(texts), 0, -1), texts, strict=True):
        lines.append(plain_line(text, room // left - 1))
        room -= size(lines[-1]) + 1
    return lines


def _faults(returns: Sequence[Row]) -> list[str]:
    """Say what was not valid in the last handoff that was not: the next one can do better."""
    for row in reversed(returns):
        if row["faults"]:
            faults: Any = parse_json(str(row["faults"]))
            return [f"Not valid in attempt {row['attempt']!s}: {fault}" for fault in faults]
    return []


def _return(row: Row) -> str:
    told = (str(row["action"]), _reason(row))
    what = ". ".join(text.rstrip(". ") for text in told if text)
    return f"Attempt {row['attempt']!s} ({row['actor']!s}), {_ended(row)}: {what}"


def _ended(row: Row) -> str:
    """Give the result, and how the attempt ended where a result alone does not tell."""
    result, end = str(row["result"]), str(row["end_reason"] or "")
    return result if end in {"", "handoff", "by_hand"} else f"{result} ({end.replace('_', ' ')})"


def _reason(row: Row) -> str:
    """Give what says best why the task was not done."""
    handoff: Any = parse_json(str(row["handoff"])) if row["handoff"] else {}
    for item in handoff.get("ruled_out", ()):
        return f"Ruled out: {item['option']}: {item['why']}"
    for question in handoff.get("open_questions", ()):
        return f"Open question: {question}"
    return str(handoff.get("next_step") or handoff.get("current_state", ""))
