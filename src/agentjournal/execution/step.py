"""One step of a plan's execution, valid by construction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from agentjournal.errors import Fault
from agentjournal.execution.fields import (
    ADDRESS,
    ARTIFACT,
    ENVELOPE,
    FORM,
    REQUIRED,
    SHA256,
    TOUCH,
    USAGE,
    ArtifactKind,
    End,
    Result,
    TouchKind,
)
from agentjournal.execution.handoff import GateConsideration, Handoff, plain, size_faults
from agentjournal.execution.rules import Shape, described, missing, read_instant, refuse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Artifact", "End", "Result", "Step", "TokenUsage", "Touch", "step_faults"]


@dataclass(frozen=True)
class Artifact:
    """Something that a step left behind: a text that is never opened."""

    kind: ArtifactKind
    ref: str
    note: str | None = None

    def __post_init__(self) -> None:
        refuse("An artifact", list(ARTIFACT.faults("", plain(self))))


@dataclass(frozen=True)
class Touch:
    """A file or service that a step's work involved."""

    kind: TouchKind
    name: str

    def __post_init__(self) -> None:
        refuse("A touch", list(TOUCH.faults("", plain(self))))


@dataclass(frozen=True, kw_only=True)
class TokenUsage:
    """Tokens that a step cost; None is unmeasured, 0 is measured zero."""

    input_tokens: int | None = None
    cache_creation_tokens: int | None = None
    cache_read_tokens: int | None = None
    output_tokens: int | None = None

    def __post_init__(self) -> None:
        refuse("A token usage", list(USAGE.faults("", plain(self))))


@dataclass(frozen=True, kw_only=True)
class Step:
    """One record of what was done; `attempt` is the sha256 of the token, never the token.

    Raises:
        InputError: with a fault for every broken rule.
    """

    id: str
    project_slug: str
    actor: str
    action: str
    result: Result
    ended_at: str
    plan_ref: str | None = None
    attempt: str | None = None
    log: str = ""
    handoff: Handoff | None = None
    artifacts: tuple[Artifact, ...] = ()
    touches: tuple[Touch, ...] = ()
    gate_events: tuple[GateConsideration, ...] = ()
    started_at: str | None = None
    parent_id: str | None = None
    token_usage: TokenUsage | None = None

    def __post_init__(self) -> None:
        known = {**FORM, **ENVELOPE, "attempt": SHA256}
        refuse("A step", step_faults(self.flat(), Shape(known, REQUIRED | ADDRESS)))

    def flat(self) -> dict[str, object]:
        """Give the step as one flat object, as the form is written; what is absent has no key."""
        own = plain(self)
        own.pop("handoff", None)
        return own | (plain(self.handoff) if self.handoff else {})


def step_faults(flat: Mapping[str, object], shape: Shape) -> list[Fault]:
    """Give every fault of a flat step: of its fields, then those between fields."""
    return [
        *shape.faults("", dict(flat)),
        *size_faults(flat),
        *_time_faults(flat),
        *_result_faults(flat),
    ]


def _time_faults(flat: Mapping[str, object]) -> Iterator[Fault]:
    start, end = read_instant(flat.get("started_at")), read_instant(flat.get("ended_at"))
    if start and end and start > end:
        yield Fault(
            field="started_at",
            rule="is not later than ended_at",
            got=f"{flat['started_at']} after {flat['ended_at']}",
            remedy="Swap them or leave started_at out.",
        )


def _result_faults(flat: Mapping[str, object]) -> Iterator[Fault]:
    """Ask of a step that belongs to a task what its result needs."""
    result = flat.get("result")
    if not flat.get("plan_ref") or result not in get_args(Result):
        return
    needed = ["current_state"]
    if result in {"failed", "partial", "gated"}:
        needed.append("next_step")
    for name in needed:
        if not flat.get(name):
            yield missing(name, flat.get(name), rule=f"is required when the result is {result}")
    if result == "failed" and not flat.get("ruled_out") and not flat.get("open_questions"):
        yield Fault(
            field="ruled_out",
            rule="a failed step has at least one ruled_out or one open_questions",
            got="neither",
            remedy="Say what did not work and why, or what has to be known first.",
        )
    if result == "gated" and not _has_gate(flat.get("gate_events")):
        yield Fault(
            field="gate_events",
            rule="a gated step has at least one gate event with decision ask or deny",
            got=described(flat.get("gate_events")),
            remedy="Give category, operation, decision and why of what a person must decide.",
        )


def _has_gate(events: object) -> bool:
    listed = events if isinstance(events, list | tuple) else ()
    return any(isinstance(e, dict) and e.get("decision") in ("ask", "deny") for e in listed)
