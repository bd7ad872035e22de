"""Writes a task's context: what is ruled out first, the task's own text last and cut first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from agentjournal.execution.caps import CONTEXT
from agentjournal.execution.context.parts import middle_parts
from agentjournal.execution.context.ruled_out import CUT, OPTIONS, ruled_out_part
from agentjournal.execution.layout import fill
from agentjournal.execution.ranges import shown_ranges
from agentjournal.text.bounded import clip, size
from agentjournal.text.fence import fence
from agentjournal.text.visible import one_line, visible

if TYPE_CHECKING:
    from agentjournal.execution.context.model import TaskContext

__all__ = ["left_out_line", "render_context"]

TITLE_BYTES = 150
CHILDREN_BYTES = 120
TEXT = "task text bytes"
TEXT_HEADING = "## Task"
LEAST_TEXT = 100  # bytes: a shorter beginning says nothing


def render_context(context: TaskContext, cap: int, *, with_text: bool) -> str:
    """Write the context; a last line counts what was left out and says how to get it."""
    text, left = _compose(context, cap, 0, with_text=with_text)
    if not left:
        return text
    everything = left_out_line(context, _all(context), cap)
    text, left = _compose(context, cap, size(everything) + 1, with_text=with_text)
    return f"{text}\n{left_out_line(context, left, cap)}"


def left_out_line(context: TaskContext, left: Counter[str], cap: int) -> str:
    """Say how many of each kind were left out, and the command that shows more."""
    counts = ", ".join(f"{kind} {count}" for kind, count in left.items() if count)
    name = f"{context.project} {context.task}"
    more = f"agentjournal context {name} --bytes {CONTEXT.ceiling}"
    if cap >= CONTEXT.ceiling:
        more = f"agentjournal context {context.project} OTHER-TASK"
    if set(left) == {TEXT}:
        more = f"agentjournal plan show {name}"
    return f"Left out: {counts}. More: {more}"


def _compose(
    context: TaskContext, cap: int, reserved: int, *, with_text: bool
) -> tuple[str, Counter[str]]:
    head = _head(context)
    room = cap - sum(size(line) + 1 for line in head) - reserved
    ruled_out, cut = ruled_out_part(context.ruled_out, min(cap // 2, room))
    filled = fill([ruled_out, *middle_parts(context)], room)
    left = filled.left_out + Counter({CUT: cut})
    lines = [*head, *filled.lines]
    if with_text:
        block, missing = _task_text(context, min(cap // 4, room - filled.used))
        lines += block
        left += Counter({TEXT: missing})
    if len(lines) == len(head) and not left:
        lines.append("Nothing is recorded for this task yet.")
    return "\n".join(lines), left


def _head(context: TaskContext) -> list[str]:
    name = f"{context.task} {one_line(context.title, TITLE_BYTES)}"
    where = f"project {context.project}, plan revision {context.revision}"
    lines = [f"{name} ({where}). Brackets: actor, step, revision."]
    if context.is_drifted:
        lines.append(f"plan drifted since revision {context.revision}")
    if context.children:
        lines.append(f"Only a container of {shown_ranges(context.children, CHILDREN_BYTES)}")
    return lines


def _task_text(context: TaskContext, room: int) -> tuple[list[str], int]:
    """Give the task's own text in its frame, cut to the room, and how many bytes are missing."""
    body = visible(context.body.strip())
    if one_line(body) == one_line(context.title):
        return [], 0
    frame = size(TEXT_HEADING) + 1 + size(fence("task", ""))
    if room < frame + min(size(body), LEAST_TEXT):
        return [], context.body_bytes
    shown = clip(body, room - frame)
    while (over := frame - size(fence("task", "")) + size(fence("task", shown)) - room) > 0:
        shown = clip(shown, size(shown) - over)
    is_whole = shown == body and size(context.body) == context.body_bytes
    missing = 0 if is_whole else max(context.body_bytes - size(shown), 1)
    return [TEXT_HEADING, fence("task", shown)], missing


def _all(context: TaskContext) -> Counter[str]:
    """Count everything there is: no line of what was left out is longer than one with this."""
    left = sum((part.left_out for part in middle_parts(context)), Counter[str]())
    total = context.ruled_out.total
    return left + Counter({OPTIONS: total, CUT: total, TEXT: context.body_bytes})
