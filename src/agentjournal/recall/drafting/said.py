"""How a draft says what the log holds: labelled lines, each with its source and how sure it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.execution.citation import quoted_line, short_id
from agentjournal.text.canonical import parse_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agentjournal.recall.drafting.material import Close, Material
    from agentjournal.storage.database import Row

__all__ = ["decisions", "lessons", "line", "questions"]

LINE = 600  # bytes of one line
NOT_STATED = "not stated in the log."


def line(text: object, cap_bytes: int = LINE) -> str:
    """Give stored text as one visible line of bounded size."""
    return quoted_line(str(text), cap_bytes)


def decisions(material: Material) -> Iterator[str]:
    """Give every decision and every option that is ruled out, in their order, then what is left out."""
    rows = sorted(
        [*material.decisions.shown, *material.ruled_out.shown],
        key=lambda row: (int(row["seq"] or 0), int(row["position"] or 0), str(row["id"])),
    )
    for row in rows:
        yield "\n".join(_decided(row) if "chosen" in row else _rejected(row))
    left = material.decisions.left_out + material.ruled_out.left_out
    if left:
        yield f"{left} older ones are in the log: `agentjournal why --project {material.slug}`"


def lessons(material: Material) -> Iterator[str]:
    """Give what each attempt that did not come back with success teaches."""
    for at, close in enumerate(material.closes):
        if close.result in {"failed", "partial"}:
            yield "\n".join(_lesson(close, material.closes[at + 1 :]))


def questions(material: Material) -> Iterator[str]:
    """Give the questions of each task's last close: nobody answered those in the log."""
    last = {close.task: close for close in material.closes}
    for close in last.values():
        held = close.handoff.get("open_questions", [])
        for question in held if isinstance(held, list) else []:
            yield f"- [Open] {line(question)} ({_about(close.task)})"


def _decided(row: Row) -> Iterator[str]:
    yield f"- Decision: {line(row['point'])}: {line(row['chosen'])}"
    yield f"- Reason: {line(row['why'])}"
    options = parse_json(str(row["options"]))
    for option in options if isinstance(options, list) else []:
        if option != row["chosen"]:
            yield f"- Rejected alternative: {line(option)}"
    yield _source(row)


def _rejected(row: Row) -> Iterator[str]:
    yield f"- Rejected: {line(row['what'])}"
    yield f"- Reason: {line(row['why'])}"
    condition = f"; reopen if: {line(row['reopen_if'])}" if row["reopen_if"] else ""
    yield _source(row) + condition


def _lesson(close: Close, later: Sequence[Close]) -> Iterator[str]:
    reasons = [f"{line(e['option'])}: {line(e['why'])}" for e in close.texts("ruled_out")]
    state = line(close.handoff.get("current_state", ""))
    if state and close.end == "contract_missing":  # a state that may read like success
        state = f"its handoff was not valid; it said: {state}"
    why = "; ".join(reasons) or state or NOT_STATED
    fixed = next(
        (each for each in later if each.task == close.task and each.result == "success"), None
    )
    yield f"- Tried: {line(close.action)}"
    yield f"- Failed because: {why}"
    yield f"- Fixed by: {line(fixed.action) if fixed else NOT_STATED}"
    yield f"- Files: {', '.join(map(line, close.files)) or NOT_STATED}"
    yield f"- Source: [Assumed] {_where(close.task, close.actor, close.id, close.revision)}"


def _source(row: Row) -> str:
    where = _where(
        str(row["task"] or ""),
        str(row["actor"]),
        str(row["id"]).partition("/")[0],  # a decision's id: step/position
        int(row["revision"] or 0),
    )
    return f"- Source: [Assumed] {where}"


def _where(task: str, actor: str, id_: str, revision: int) -> str:
    return f"{_about(task)}, {line(actor, 80)}, step {short_id(id_)}, plan r{revision}"


def _about(task: str) -> str:
    return line(task, 80) or "the project"
