"""A step as reads quote it: what it says, in visible lines, and who says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agentjournal.execution.citation import cited, quoted_line, short_id
from agentjournal.text.canonical import parse_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agentjournal.storage.database import Row

__all__ = ["QuotedStep", "decision_line", "quoted_step", "sentence"]

PLAIN_ENDS = (None, "handoff", "by_hand")


@dataclass(frozen=True, kw_only=True)
class QuotedStep:
    """One row of the steps, its handoff read."""

    id: str
    seq: int
    kind: str
    at: str
    task: str | None
    attempt: int | None
    actor: str
    revision: int
    action: str
    result: str
    end: str | None
    is_late: bool
    handoff: Mapping[str, Any]

    @property
    def citation(self) -> str:
        """Cite the step in short."""
        return cited(self.actor, short_id(self.id), self.revision)

    @property
    def came_back(self) -> str:
        """Say how the step came back: its result, and what a result alone does not tell."""
        reason = "" if self.end in PLAIN_ENDS else f" ({self.end})"
        return f"{self.result}{reason}{', late' if self.is_late else ''}"

    def line(self, name: str) -> str:
        """Give a text of the handoff as one visible line, empty where it says nothing."""
        return quoted_line(str(self.handoff.get(name, "")))

    def decisions(self) -> Iterator[str]:
        """Give each decision as a line."""
        return (f"Decided: {decision_line(each)}" for each in self.handoff.get("decisions", ()))

    def questions(self) -> Iterator[str]:
        """Give each open question as a line."""
        return (f"Question: {quoted_line(each)}" for each in self.handoff.get("open_questions", ()))


def quoted_step(row: Row) -> QuotedStep:
    """Read one row with the columns of a step."""
    values: dict[str, Any] = dict(row)
    handoff = parse_json(values["handoff"]) if values["handoff"] else {}
    return QuotedStep(
        id=values["id"],
        seq=values["seq"],
        kind=values["kind"],
        at=values["at"],
        task=values["task"],
        attempt=values["attempt"],
        actor=values["actor"],
        revision=values["revision"],
        action=values["action"],
        result=values["result"],
        end=values["end_reason"],
        is_late=bool(values["is_late"]),
        handoff=handoff if isinstance(handoff, dict) else {},
    )


def decision_line(decision: Mapping[str, Any]) -> str:
    """Say what was decided, what was not taken, and why."""
    chosen = decision["chosen"]
    others = "; ".join(quoted_line(each) for each in decision["options"] if each != chosen)
    instead = f", not {others}" if others else ""
    point, why = quoted_line(decision["point"]), sentence(decision["why"])
    return f"{point}: {quoted_line(chosen)}{instead}. Why: {why}"


def sentence(text: str) -> str:
    """Give the text as one line that ends like a sentence."""
    line = quoted_line(text)
    return line if line.endswith((".", "!", "?", "…")) else f"{line}."
