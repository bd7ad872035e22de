"""One step of a plan's execution, valid by construction, and the rules of its fields."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from agentjournal.errors import Fault
from agentjournal.execution.handoff import (
    GATE,
    HANDOFF,
    UUID7,
    GateConsideration,
    Handoff,
    plain,
    size_faults,
)
from agentjournal.execution.rules import (
    Instant,
    Many,
    Pattern,
    Shape,
    Text,
    Whole,
    Word,
    described,
    missing,
    read_instant,
    refuse,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agentjournal.execution.rules import Rule

__all__ = [
    "ACTION_CHARACTERS",
    "ADDRESS",
    "ENVELOPE",
    "FORM",
    "LOG_BYTES",
    "REQUIRED",
    "TOKEN",
    "Artifact",
    "ArtifactKind",
    "End",
    "PathOrName",
    "Result",
    "Step",
    "TokenUsage",
    "Touch",
    "TouchKind",
    "step_faults",
]

Result = Literal["success", "failed", "partial", "skipped", "gated"]
End = Literal[
    "handoff",
    "contract_missing",
    "exit_nonzero",
    "signal",
    "timeout",
    "no_stop_event",
    "spawn_failed",
    "acceptance_failed",
    "by_hand",
    "import",
]
ArtifactKind = Literal["commit", "file", "log", "url", "vault"]
TouchKind = Literal["file", "service"]

ACTION_CHARACTERS = 120
LOG_BYTES = 64 * 1024
TOKEN = r"aj-[a-z2-7]{26}"  # noqa: S105 - the form, not a token


@dataclass(frozen=True)
class PathOrName:
    """The name of a touch: a path below the project root, or a service."""

    def faults(self, field: str, value: object) -> Iterator[Fault]:
        """Give every fault of the touch that stands at `field`."""
        yield from _TOUCH.faults(field, value)
        if not isinstance(value, dict) or value.get("kind") != "file":
            return
        name = value.get("name")
        if isinstance(name, str) and name and not _is_inside(name):
            yield Fault(
                field=f"{field}.name",
                rule="is a path relative to the project root, with `/` and without `..`",
                got=described(name),
                remedy="Write it as src/package/module.py.",
            )


def _is_inside(name: str) -> bool:
    drive = re.match(r"[A-Za-z]:", name)
    return "\\" not in name and not drive and not set(name.split("/")) & {"", ".", ".."}


_TOUCH = Shape(
    {"kind": Word(get_args(TouchKind)), "name": Text(cap=400, lines="one", remedy="Shorten it.")},
    frozenset({"kind", "name"}),
)
_ARTIFACT = Shape(
    {
        "kind": Word(get_args(ArtifactKind)),
        "ref": Text(cap=500, lines="one", remedy="Shorten it."),
        "note": Text(cap=200, lines="few", remedy="Shorten it."),
    },
    frozenset({"kind", "ref"}),
)
_USAGE = Shape(
    {
        "input_tokens": Whole(),
        "cache_creation_tokens": Whole(),
        "cache_read_tokens": Whole(),
        "output_tokens": Whole(),
    }
)
_UUID = Pattern(
    UUID7, "is a UUIDv7 in lower case", "Leave it out: one is minted, printed and kept for retries."
)

# What a worker may write in its handoff file or block ...
FORM: Mapping[str, Rule] = {
    "attempt": Pattern(
        TOKEN, "is an attempt token", "Copy it from the brief's last lines.", is_secret=True
    ),
    "result": Word(get_args(Result)),
    "action": Text(
        cap=ACTION_CHARACTERS,
        lines="one",
        remedy="Say what was done in one line that begins with a verb.",
    ),
    **HANDOFF,
    "gate_events": Many(of=GATE, most=12),
    "artifacts": Many(of=_ARTIFACT, most=50),
    "touches": Many(of=PathOrName(), most=200),
    "token_usage": _USAGE,
    "log": Text(
        cap=LOG_BYTES,
        unit="bytes",
        lines="log",
        remedy="Keep what matters; name the whole as an artifact.",
    ),
}
# ... and what `log` takes besides.
ENVELOPE: Mapping[str, Rule] = {
    "id": _UUID,
    "project_slug": Pattern(
        r"(?=.{1,64}\Z)[a-z0-9]+(-[a-z0-9]+)*",
        "is a slug of at most 64 characters",
        "Use lower-case letters, digits and single hyphens.",
    ),
    "plan_ref": Pattern(
        r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}", "is a task id", "See `agentjournal plan show`."
    ),
    "actor": Pattern(
        r"[A-Za-z0-9._:@-]{1,64}",
        "is 1 to 64 of A-Z a-z 0-9 . _ : @ -",
        "Use a login name or worker-1.",
    ),
    "started_at": Instant(),
    "ended_at": Instant(),
    "parent_id": _UUID,
}
REQUIRED = frozenset({"result", "action"})
ADDRESS = frozenset({"id", "project_slug", "actor", "ended_at"})


@dataclass(frozen=True)
class Artifact:
    """Something that a step left behind: a text that is never opened."""

    kind: ArtifactKind
    ref: str
    note: str | None = None

    def __post_init__(self) -> None:
        refuse("An artifact", list(_ARTIFACT.faults("", plain(self))))


@dataclass(frozen=True)
class Touch:
    """A file or service that a step's work involved."""

    kind: TouchKind
    name: str

    def __post_init__(self) -> None:
        refuse("A touch", list(PathOrName().faults("", plain(self))))


@dataclass(frozen=True, kw_only=True)
class TokenUsage:
    """Tokens that a step cost; None is unmeasured, 0 is measured zero."""

    input_tokens: int | None = None
    cache_creation_tokens: int | None = None
    cache_read_tokens: int | None = None
    output_tokens: int | None = None

    def __post_init__(self) -> None:
        refuse("A token usage", list(_USAGE.faults("", plain(self))))


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
        known = {**FORM, **ENVELOPE, "attempt": _SHA256}
        refuse("A step", step_faults(self.flat(), Shape(known, REQUIRED | ADDRESS)))

    def flat(self) -> dict[str, object]:
        """Give the step as one flat object, as the form is written; what is absent has no key."""
        own = plain(self)
        own.pop("handoff", None)
        return own | (plain(self.handoff) if self.handoff else {})


_SHA256 = Pattern(r"[0-9a-f]{64}", "is the sha256 of a token", "Hash the token.", is_secret=True)


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
