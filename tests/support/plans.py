"""Plans for the tests: the real ones, and short ways to read a text."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

from agentjournal.execution.plan import read_plan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.execution.plan import PlannedTask, PlanReport

PLANS = Path(__file__).parents[1] / "data" / "plans"


def report(text: str, path: str = "plan.md") -> PlanReport:
    return read_plan(dedent(text).encode(), path)


def tasks(text: str) -> Mapping[str, PlannedTask]:
    """Read a text that must have no fault."""
    read = report(text)
    assert read.plan is not None
    assert [str(fault) for fault in read.faults] == []
    return {task.id: task for task in read.plan.tasks}


def only(text: str) -> PlannedTask:
    (task,) = tasks(text).values()
    return task


def real(name: str) -> PlanReport:
    path = PLANS / name
    return read_plan(path.read_bytes(), name)


def as_row(task: PlannedTask) -> Mapping[str, object]:
    """Give all that a golden file holds of a task; `text` stands in the plan itself."""
    return {
        "id": task.id,
        "line": task.line,
        "title": task.title,
        "section": task.section,
        "section_place": task.section_place,
        "rank": task.rank,
        "depends": list(task.depends),
        "parent": task.parent,
        "files": list(task.files),
        "services": list(task.services),
        "verify": task.verify,
        "done": task.is_done,
        "optional": task.is_optional,
        "container": task.is_container,
        "parallel": task.is_parallel,
    }
