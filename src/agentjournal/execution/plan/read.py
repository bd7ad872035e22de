"""Read a plan file: its tasks, in order, with all that is wrong with them at once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agentjournal.errors import Fault
from agentjournal.execution.plan.assemble import assemble
from agentjournal.execution.plan.check import Connected, faults_of, unnamed_faults
from agentjournal.execution.plan.drift import plan_sha256
from agentjournal.execution.plan.model import Plan, PlanReport
from agentjournal.execution.plan.prose import goal_of, title_of
from agentjournal.execution.plan.scan import scan
from agentjournal.execution.plan.source import decode, read_source
from agentjournal.execution.plan.unnamed import all_unnamed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.execution.plan.assemble import Draft

__all__ = ["MAX_FAULTS", "read_plan", "report_of"]

MAX_FAULTS = 200


def read_plan(data: bytes, path: str) -> PlanReport:
    """Read one plan file; `path` is kept as given and names the plan where nothing else does.

    Never raises: whatever the bytes are, the report says what is wrong, with line numbers: at most
    200 faults, then how many more. The time is linear in the bytes; a plan has at most 4 MiB and
    100,000 lines.
    """
    text, unreadable = decode(data)
    if unreadable and not text:
        return PlanReport(None, unreadable)
    source = read_source(text)
    found = scan(source.lines)
    unnamed = all_unnamed(source, found)
    drafts, twice = assemble(found.items)
    return report_of(
        drafts,
        [*unreadable, *source.faults, *unnamed_faults(unnamed), *twice],
        Plan(
            title=title_of(source, found.headings, path),
            goal=goal_of(source, found.headings),
            text=text,
            path=path,
            sha256=plan_sha256(data),
            tasks=(),
        ),
    )


def report_of(drafts: Sequence[Draft], faults: Sequence[Fault], plan: Plan) -> PlanReport:
    """Look up the dependencies of the drafts, check the whole, and put the tasks into the plan."""
    connected = Connected(drafts)
    found = [*faults, *connected.faults, *faults_of(connected.tasks)]
    if not drafts:
        found.insert(0, _no_task())
    if len(found) > MAX_FAULTS:
        found[MAX_FAULTS:] = [_more(len(found) - MAX_FAULTS)]
    return PlanReport(replace(plan, tasks=connected.tasks), tuple(found), tuple(connected.notes))


def _no_task() -> Fault:
    return Fault(
        field="line 1",
        rule="a plan has tasks with ids",
        got="no task id",
        remedy=(
            "Write `### T-001 Title` or `- [ ] T-001 Title`, or let "
            "`agentjournal plan ids FILE` propose ids."
        ),
    )


def _more(count: int) -> Fault:
    return Fault(
        field="line 1",
        rule=f"the first {MAX_FAULTS} faults are listed",
        got=f"{count:,} more",
        remedy="Correct these and check again.",
    )
