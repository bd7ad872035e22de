"""The parts of a task's context between what is ruled out and the task's own text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.execution.citation import quoted_line, short_id
from agentjournal.execution.context.ruled_out import ruled_out_there
from agentjournal.execution.layout import Item, Part
from agentjournal.execution.quoted import sentence
from agentjournal.text.bounded import size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.execution.context.model import Found, Gate, Related, TaskContext
    from agentjournal.execution.quoted import QuotedStep

__all__ = ["middle_parts"]

FIRST = {"dependencies": 3, "neighbours": 2}  # of these before any other part's rest
LINE_BYTES = 300  # of a handoff's state that still counts as a line


def middle_parts(context: TaskContext) -> list[Part]:
    """Give the parts in the order in which they are shown."""
    return [
        _latest(context),
        _attempts(context.attempts),
        _others("## Handoffs of dependencies", "dependencies", context.dependencies),
        _others("## Handoffs of neighbours", "neighbours", context.neighbours),
        _open(context),
    ]


def _latest(context: TaskContext) -> Part:
    step = context.latest
    if step is None:
        return Part(heading="")
    goal = step.line("goal")
    texts = {
        "State": step.line("current_state"),
        "Next": step.line("next_step"),
        "Goal": "" if goal == quoted_line(context.title) else goal,
    }
    items = [
        Item(text=f"{name}: {text}", kind="handoff fields") for name, text in texts.items() if text
    ]
    decided = [Item(text=line, kind="decisions", round=1) for line in step.decisions()]
    attempt = f"attempt {step.attempt}, " if step.attempt else ""
    heading = f"## Latest handoff: {attempt}{step.came_back} {step.citation}"
    return Part(heading=heading, items=[*items, *decided])


def _attempts(found: Found[QuotedStep]) -> Part:
    items = [Item(text=_attempt(step), kind="attempts") for step in found.rows]
    heading = "## Late and earlier attempts"
    return Part(heading=heading, items=items, unread={"attempts": found.unread})


def _others(heading: str, kind: str, found: Found[Related]) -> Part:
    """Show other tasks' handoffs, the first few before any other part's rest, details after."""
    items: list[Item] = []
    for at, other in enumerate(found.rows):
        is_first = at < FIRST[kind]
        items.append(Item(text=_other(other), kind=kind, round=0 if is_first else 2))
        items += _details(other, 1 if is_first else 3)
    there = sum(other.ruled_out.unread for other in found.rows)
    return Part(heading=heading, items=items, unread={kind: found.unread, "ruled out there": there})


def _details(other: Related, when: int) -> Iterator[Item]:
    for item in other.ruled_out.rows:
        text = f"  {ruled_out_there(item)}"
        yield Item(text=text, kind="ruled out there", round=when, is_detail=True)
    for line in other.step.decisions():
        yield Item(text=f"  {line}", kind="decisions", round=when, is_detail=True)


def _open(context: TaskContext) -> Part:
    items = [Item(text=_gate(gate), kind="gates") for gate in context.gates.rows]
    if latest := context.latest:
        lines = (f"- {line} {latest.citation}" for line in latest.questions())
        items += [Item(text=line, kind="questions") for line in lines]
    if answer := context.answer:
        said = f"{answer.verb}, because {quoted_line(answer.why)}"
        cite = f"[{answer.actor} {short_id(answer.id)}]"
        items.append(Item(text=f"- Answer of a person: {said} {cite}", kind="answers"))
    return Part(heading="## Open", items=items, unread={"gates": context.gates.unread})


def _attempt(step: QuotedStep) -> str:
    """Say how an attempt ended; of one that answered late also what it handed off."""
    state, next_ = step.line("current_state"), step.line("next_step")
    more = f"{state} Next: {next_}" if step.is_late and next_ else state
    said = f"{sentence(step.action)} {more if size(more) <= LINE_BYTES else ''}".rstrip()
    number = f"Attempt {step.attempt}" if step.attempt else "A step"
    return f"- {number} {step.came_back}: {said} {step.citation}"


def _other(other: Related) -> str:
    step = other.step
    shares = f", shares {quoted_line(other.shared_name)}" if other.shared else ""
    more = f" +{other.shared - 1}" if other.shared > 1 else ""
    said = step.line("current_state") or quoted_line(step.action)
    return f"- {step.task} {step.came_back}{shares}{more}: {said} {step.citation}"


def _gate(gate: Gate) -> str:
    said = "ran although denied" if gate.outcome == "leaked" else gate.decision
    why = quoted_line(gate.why)
    return f"- Gate {gate.category}, {said}: {sentence(gate.operation)} Why: {why} {gate.citation}"
