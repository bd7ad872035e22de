"""The parts of a task's context between what is ruled out and the task's own text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.execution.citation import short_id
from agentjournal.execution.context.ruled_out import ruled_out_there
from agentjournal.execution.layout import Item, Part
from agentjournal.text.bounded import size
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agentjournal.execution.context.model import Found, GateRow, StepRow, TaskContext

__all__ = ["middle_parts"]

FIRST = {"dependencies": 3, "neighbours": 2}  # of these before any other part's rest
LINE_BYTES = 300  # of a handoff's state that still counts as a line
PLAIN_ENDS = (None, "handoff", "by_hand")


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
        "Goal": "" if goal == one_line(context.title) else goal,
    }
    items = [
        Item(text=f"{name}: {text}", kind="handoff fields") for name, text in texts.items() if text
    ]
    decided = [Item(text=line, kind="decisions", round=1) for line in _decisions(step)]
    ended = f"attempt {step.attempt}, {_ended(step)}" if step.attempt else _ended(step)
    return Part(heading=f"## Latest handoff: {ended} {step.citation}", items=[*items, *decided])


def _attempts(found: Found[StepRow]) -> Part:
    items = [Item(text=_attempt(step), kind="attempts") for step in found.rows]
    return Part(
        heading="## Late and earlier attempts", items=items, unread={"attempts": found.unread}
    )


def _others(heading: str, kind: str, found: Found[StepRow]) -> Part:
    """Show other tasks' handoffs, the first few before any later part's rest, details last."""
    items: list[Item] = []
    for at, step in enumerate(found.rows):
        is_first = at < FIRST[kind]
        items.append(Item(text=_other(step), kind=kind, round=0 if is_first else 2))
        items.extend(_details(step, 1 if is_first else 3))
    unread = {kind: found.unread}
    unread["ruled out there"] = sum(step.ruled_out.unread for step in found.rows)
    return Part(heading=heading, items=items, unread=unread)


def _details(step: StepRow, when: int) -> Iterator[Item]:
    for item in step.ruled_out.rows:
        text = ruled_out_there(item)
        yield Item(text=text, kind="ruled out there", round=when, is_detail=True)
    for line in _decisions(step):
        yield Item(text=f"  {line}", kind="decisions", round=when, is_detail=True)


def _open(context: TaskContext) -> Part:
    items = [Item(text=_gate(gate), kind="gates") for gate in context.gates.rows]
    if latest := context.latest:
        for question in latest.handoff.get("open_questions", ()):
            text = f"- Question: {one_line(question)} {latest.citation}"
            items.append(Item(text=text, kind="questions"))
    if answer := context.answer:
        said = f"{answer.verb}, because: {one_line(answer.why)}"
        text = f"- Answer of a person: {said} [{answer.actor} {short_id(answer.id)}]"
        items.append(Item(text=text, kind="answers"))
    return Part(heading="## Open", items=items, unread={"gates": context.gates.unread})


def _attempt(step: StepRow) -> str:
    state = step.line("current_state")
    more = f" {state}" if state and size(state) <= LINE_BYTES else ""
    number = f"Attempt {step.attempt}" if step.attempt else "Step"
    return f"- {number} {_ended(step)}: {_sentence(step.action)}{more} {step.citation}"


def _other(step: StepRow) -> str:
    shares = f", shares {one_line(step.shared_name)}" if step.shared else ""
    more = f" +{step.shared - 1}" if step.shared > 1 else ""
    said = step.line("current_state") or one_line(step.action)
    return f"- {step.task} {_ended(step)}{shares}{more}: {said} {step.citation}"


def _ended(step: StepRow) -> str:
    """Say how the step came back: its result, and what a result alone does not tell."""
    end = "" if step.end in PLAIN_ENDS else f" ({step.end})"
    return f"{step.result}{end}{', late' if step.is_late else ''}"


def _decisions(step: StepRow) -> Iterator[str]:
    for decision in step.handoff.get("decisions", ()):
        yield f"Decided: {_decision(decision)}"


def _decision(decision: Mapping[str, object]) -> str:
    chosen = str(decision["chosen"])
    options = decision["options"]
    others = [o for o in options if o != chosen] if isinstance(options, list) else []
    instead = f", not {'; '.join(map(one_line, others))}" if others else ""
    point, why = one_line(str(decision["point"])), one_line(str(decision["why"]))
    return f"{point}: {one_line(chosen)}{instead}. Why: {why}"


def _gate(gate: GateRow) -> str:
    said = "ran although denied" if gate.outcome == "leaked" else gate.decision
    why = one_line(gate.why)
    return f"- Gate {gate.category}, {said}: {_sentence(gate.operation)} Why: {why} {gate.citation}"


def _sentence(text: str) -> str:
    line = one_line(text)
    return line if line.endswith((".", "!", "?", "…")) else f"{line}."
