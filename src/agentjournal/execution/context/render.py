"""Writes a task's context: what is ruled out first, the task's own text last and cut first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from agentjournal.execution.caps import CONTEXT
from agentjournal.execution.citation import quoted_line
from agentjournal.execution.context.parts import middle_parts
from agentjournal.execution.context.ruled_out import CUT, OPTIONS, ruled_out_part
from agentjournal.execution.drift import drift_lines
from agentjournal.execution.layout import fill, framed, left_out_line, with_last_line
from agentjournal.execution.ranges import shown_ranges
from agentjournal.text.bounded import size

if TYPE_CHECKING:
    from agentjournal.execution.context.model import TaskContext
    from agentjournal.execution.layout import Composed

__all__ = ["render_context"]

TITLE_BYTES = 150
CHILDREN_BYTES = 120
TEXT = "task text bytes"
NOTHING = "No attempt, no handoff, nothing ruled out so far."


def render_context(context: TaskContext, cap: int, *, with_text: bool) -> str:
    """Write the context; a last line counts what was left out and says how to get it."""
    return with_last_line(
        lambda reserved: _compose(context, cap, cap - reserved, with_text=with_text),
        _everything(context),
        lambda left: left_out_line(left, _more(context, left, cap)),
    )


def _compose(context: TaskContext, cap: int, room: int, *, with_text: bool) -> Composed:
    lines = _head(context)
    room -= sum(size(line) + 1 for line in lines) - 1  # no line end after the last
    ruled_out, cut = ruled_out_part(context.ruled_out, min(cap // 2, room))
    filled = fill([ruled_out, *middle_parts(context)], room)
    left = filled.left_out + Counter({CUT: cut})
    lines += filled.lines
    if not filled.lines and not left:
        lines.append(NOTHING)
        room -= size(NOTHING) + 1
    if with_text and quoted_line(context.body) != quoted_line(context.title):
        block, missing = framed("## Task", "task", context.body, min(cap // 4, room - filled.used))
        lines += block
        left += Counter({TEXT: missing + context.body_bytes - size(context.body)})
    return lines, left


def _head(context: TaskContext) -> list[str]:
    name = f"{context.task} {quoted_line(context.title, TITLE_BYTES)}"
    where = f"project {context.project}, plan revision {context.revision}"
    lines = [f"{name} ({where}). Brackets: actor, step, revision."]
    lines += drift_lines(context.revision, is_drifted=context.is_drifted)
    if context.children:
        lines.append(f"Only a container of {shown_ranges(context.children, CHILDREN_BYTES)}")
    return lines


def _more(context: TaskContext, left: Counter[str], cap: int) -> str:
    name = f"{context.project} {context.task}"
    if set(left) == {TEXT}:
        return f"agentjournal plan show {name}"
    if cap < CONTEXT.ceiling:
        return f"agentjournal context {name} --bytes {CONTEXT.ceiling}"
    return f"agentjournal history {context.project} --task ID"


def _everything(context: TaskContext) -> Counter[str]:
    left = sum((part.left_out for part in middle_parts(context)), Counter[str]())
    total = context.ruled_out.total
    return left + Counter({OPTIONS: total, CUT: total, TEXT: 10 * context.body_bytes})
