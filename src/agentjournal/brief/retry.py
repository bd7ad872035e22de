"""What a worker must know when its task was tried before: the first failure and the last return."""

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
    """Write the retry context from closes of the task, oldest first; empty where there are none."""
    if not returns:
        return ""
    head = f"This is attempt {attempt} of this task. {_LEFTOVERS}\n"
    room = cap_bytes - size(head)
    free = room - size(framed(_LABEL, "", room))
    lines: list[str] = []
    for left in range(len(returns), 0, -1):  # the last return first: what it leaves is the first's
        lines.insert(0, plain_line(_return(returns[left - 1]), free // left - 1))
        free -= size(lines[0]) + 1
    return head + framed(_LABEL, "\n".join(lines), room)


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
    return str(handoff.get("next_step", ""))
