"""The handoff of a step: what the next worker must know, and nothing else."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal, get_args

from agentjournal.errors import Fault
from agentjournal.execution.rules import Many, Pattern, Shape, Text, Word, refuse
from agentjournal.text.bounded import size

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agentjournal.execution.rules import Rule

__all__ = [
    "GATE",
    "HANDOFF",
    "HANDOFF_BYTES",
    "UUID7",
    "Category",
    "Decision",
    "GateConsideration",
    "GateDecision",
    "Handoff",
    "Reused",
    "RuledOut",
    "plain",
    "size_faults",
]

Category = Literal[
    "outside_project",
    "privilege",
    "network_config",
    "secrets",
    "destructive_data",
    "git_beyond_branch",
    "dependency_change",
    "cross_service",
]
GateDecision = Literal["ask", "deny", "in_scope"]

HANDOFF_BYTES = 6 * 1024
UUID7 = r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"

RULED_OUT = Shape(
    {
        "option": Text(cap=200, lines="few"),
        "why": Text(cap=400),
        "reopen_if": Text(cap=200, lines="few"),
        "supersedes": Pattern(
            rf"{UUID7}#[1-9]\d{{0,2}}",
            "is the id of a ruled-out item",
            "Copy it from `agentjournal context`: <step id>#<n>.",
        ),
    },
    frozenset({"option", "why"}),
)
DECISION = Shape(
    {
        "point": Text(cap=400, lines="few"),
        "options": Many(of=Text(cap=400, lines="few"), most=6, least=2),
        "chosen": Text(cap=400, lines="few"),
        "why": Text(cap=400),
        "would_gate": Text(cap=400, lines="few"),
    },
    frozenset({"point", "options", "chosen", "why"}),
)
REUSED = Shape(
    {
        "document": Text(cap=200, lines="few"),
        "quote": Text(cap=400),
        "impact": Text(cap=400),
    },
    frozenset({"document", "quote", "impact"}),
)
GATE = Shape(
    {
        "category": Word(get_args(Category)),
        "operation": Text(cap=200, lines="few"),
        "decision": Word(get_args(GateDecision)),
        "why": Text(cap=400),
    },
    frozenset({"category", "operation", "decision", "why"}),
)
HANDOFF: Mapping[str, Rule] = {
    "goal": Text(cap=300, lines="few"),
    "current_state": Text(cap=1200),
    "next_step": Text(cap=500),
    "ruled_out": Many(of=RULED_OUT, most=12),
    "decisions": Many(of=DECISION, most=6),
    "reused": Many(of=REUSED, most=6),
    "open_questions": Many(of=Text(cap=400), most=5),
}


def plain(record: object) -> dict[str, object]:
    """Turn a frozen record into plain data; what is absent or empty has no key."""
    values = {f.name: getattr(record, f.name) for f in fields(record)}  # type: ignore[arg-type]  # records only
    return {name: _plain(value) for name, value in values.items() if value not in (None, "", ())}


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return plain(value) if hasattr(value, "__dataclass_fields__") else value


@dataclass(frozen=True, kw_only=True)
class RuledOut:
    """An option that was tried or considered and rejected, why, and when to look at it again."""

    option: str
    why: str
    reopen_if: str | None = None
    supersedes: str | None = None

    def __post_init__(self) -> None:
        refuse("A ruled-out item", list(RULED_OUT.faults("", plain(self))))


@dataclass(frozen=True, kw_only=True)
class Decision:
    """The options on the table, the one taken, why, and what would have asked a person."""

    point: str
    options: tuple[str, ...]
    chosen: str
    why: str
    would_gate: str | None = None

    def __post_init__(self) -> None:
        refuse("A decision", list(DECISION.faults("", plain(self))))


@dataclass(frozen=True)
class Reused:
    """A past document that influenced the work, with a verbatim quote."""

    document: str
    quote: str
    impact: str

    def __post_init__(self) -> None:
        refuse("A reused document", list(REUSED.faults("", plain(self))))


@dataclass(frozen=True, kw_only=True)
class GateConsideration:
    """An operation of a gated kind that was considered, and what was decided about it."""

    category: Category
    operation: str
    decision: GateDecision
    why: str

    def __post_init__(self) -> None:
        refuse("A gate event", list(GATE.faults("", plain(self))))


@dataclass(frozen=True, kw_only=True)
class Handoff:
    """Conclusions for the next worker, at most 6 KiB as canonical JSON.

    An empty `goal` reads as the task's title. What a result needs is the step's rule.

    Raises:
        InputError: with a fault for every broken rule.
    """

    goal: str = ""
    current_state: str = ""
    next_step: str = ""
    ruled_out: tuple[RuledOut, ...] = ()
    decisions: tuple[Decision, ...] = ()
    reused: tuple[Reused, ...] = ()
    open_questions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        given = plain(self)
        refuse("A handoff", [*Shape(HANDOFF).faults("", given), *size_faults(given)])


def size_faults(flat: Mapping[str, object]) -> Iterator[Fault]:
    """Give the fault of a handoff that is too large as a whole."""
    kept = {name: flat[name] for name in HANDOFF if flat.get(name) not in (None, "", [], ())}
    given = size(json.dumps(kept, ensure_ascii=False, separators=(",", ":"), default=str))
    if given > HANDOFF_BYTES:
        yield Fault(
            field="handoff",
            rule=f"at most {HANDOFF_BYTES} bytes as JSON",
            got=f"{given} bytes",
            remedy="Hand off conclusions; move the rest to `log`.",
        )
