"""What stands above the boundary: for every worker of a project the same, growing at its end."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agentjournal.brief.caps import PLAN_BYTES, RECORD_BYTES
from agentjournal.brief.contain import plain_line
from agentjournal.text.bounded import size

if TYPE_CHECKING:
    from collections.abc import Sequence

PREAMBLE_VERSION = 1
PREAMBLE = (Path(__file__).parent / f"preamble_v{PREAMBLE_VERSION}.txt").read_text("utf-8")

_TITLE_BYTES = 200


@dataclass(frozen=True, kw_only=True)
class Standing:
    """What every worker of the project is told: the plan's aim, and the record above its floor."""

    title: str
    goal: str
    record: Sequence[str]
    below: int = 0


def render_stable(standing: Standing) -> str:
    """Write the stable part; a project without closes has no record in it, not even a heading."""
    parts = [PREAMBLE, _plan(standing)]
    if lines := _newest(standing.record):
        parts.append("\n".join([_record_heading(standing.below), *lines]) + "\n")
    return "\n".join(parts)


def _plan(standing: Standing) -> str:
    head = f"== Plan ==\nTitle: {plain_line(standing.title, _TITLE_BYTES)}\n"
    if not standing.goal:
        return head
    return (
        f"{head}Goal: {plain_line(standing.goal, PLAN_BYTES - size(head) - size('Goal: ') - 1)}\n"
    )


def _record_heading(below: int) -> str:
    heading = "== Record: a line for each finished attempt or reopened option, oldest first =="
    older = f"(The first {below} are left out: `agentjournal why WORDS` finds what they decided.)"
    return f"{heading}\n{older}" if below else heading


def _newest(record: Sequence[str]) -> list[str]:
    """Give the lines; the floor has kept them within their room, else the oldest are left out."""
    lines = [plain_line(line) for line in record]
    kept, room = len(lines), RECORD_BYTES
    while kept and (room := room - size(lines[kept - 1]) - 1) >= 0:
        kept -= 1
    return lines[kept:]
