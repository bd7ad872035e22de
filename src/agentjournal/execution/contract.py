"""From what a person or worker wrote to a valid step, or to all of its faults at once."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Literal

from agentjournal.errors import Fault
from agentjournal.execution.fields import ADDRESS, ENVELOPE, FORM, REQUIRED
from agentjournal.execution.handoff import (
    HANDOFF,
    Decision,
    GateConsideration,
    Handoff,
    Reused,
    RuledOut,
)
from agentjournal.execution.rules import Shape, missing, read_instant, refuse
from agentjournal.execution.step import Artifact, Step, TokenUsage, Touch, step_faults
from agentjournal.system.clock import timestamp

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = [
    "Source",
    "is_own",
    "read_step",
    "tidied",
    "token_digest",
]

Source = Literal["log", "file", "fence"]

REMEDY = "agentjournal log --form RESULT prints the form to fill in."
_ITEMS = {
    "ruled_out": RuledOut,
    "decisions": Decision,
    "reused": Reused,
    "gate_events": GateConsideration,
    "artifacts": Artifact,
    "touches": Touch,
}


def read_step(
    fields: Mapping[str, object],
    *,
    source: Source,
    defaults: Mapping[str, object],
    attempt: str | None = None,
    is_autonomous: bool = False,
) -> Step:
    """Read one flat object as a step; `defaults` fill what it leaves out.

    In a `file` or `fence` only the form's keys are known, and a token has to be that whose sha256
    is `attempt`: in a file it may be left out, in a fenced block it has to be there. `log` takes
    the envelope (id, project_slug, plan_ref, ...) too.

    Raises:
        InputError: with every fault at once; nothing is stored.
    """
    given = {name: value for name, value in fields.items() if value not in (None, "", [])}
    known = FORM if source != "log" else {**ENVELOPE, **FORM}
    filled = {n: v for n, v in defaults.items() if v not in (None, "", [])} | given
    shape = Shape({**ENVELOPE, **FORM}, REQUIRED | ADDRESS)
    unknown = [name for name in given if name not in known]
    faults = [
        *Shape(known).faults("", {name: given[name] for name in unknown}),
        *_token_faults(given.get("attempt"), source, attempt),
        *(_gate_faults(given) if is_autonomous else ()),
        *step_faults(tidied({n: v for n, v in filled.items() if n not in unknown}), shape),
    ]
    refuse("The step", faults, next=REMEDY)
    return _build(filled, attempt)


def is_own(fields: Mapping[str, object], source: Source, attempt: str) -> bool:
    """Say whether a form is the attempt's by its token; in a file of its own it may have none."""
    token = fields.get("attempt")
    if token in (None, ""):
        return source != "fence"
    return isinstance(token, str) and token_digest(token) == attempt


def token_digest(token: str) -> str:
    """Give the only form in which an attempt token is ever stored."""
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


def _token_faults(token: object, source: Source, attempt: str | None) -> Iterator[Fault]:
    if source == "fence" and not token:
        yield missing("attempt", rule="is required in a handoff block")
    elif isinstance(token, str) and attempt is not None and token_digest(token) != attempt:
        remedy = "Copy the token from the brief's last lines."
        rule = "is the token of this attempt"
        yield Fault(field="attempt", rule=rule, got="another token", remedy=remedy)


def _gate_faults(given: Mapping[str, object]) -> Iterator[Fault]:
    decisions = given.get("decisions")
    for place, decision in enumerate(decisions if isinstance(decisions, list | tuple) else ()):
        if isinstance(decision, dict) and not decision.get("would_gate"):
            field = f"decisions[{place}].would_gate"
            yield missing(field, rule="is required in autonomous mode")


def tidied(fields: Mapping[str, object]) -> dict[str, object]:
    """Drop a leading `./` of touched paths: what was meant is plain."""
    touches = fields.get("touches")
    if not isinstance(touches, list | tuple):
        return dict(fields)
    return {**fields, "touches": [_tidy_touch(touch) for touch in touches]}


def _tidy_touch(touch: object) -> object:
    if not isinstance(touch, dict) or not isinstance(touch.get("name"), str):
        return touch
    return {**touch, "name": touch["name"].removeprefix("./")}


def _build(filled: Mapping[str, object], attempt: str | None) -> Step:
    values: dict[str, Any] = {name: _value(name, v) for name, v in tidied(filled).items()}
    handoff = {name: values.pop(name) for name in HANDOFF if name in values}
    token = values.pop("attempt", None)
    values["attempt"] = attempt if token is None else token_digest(token)
    needs_handoff = bool(handoff) or "plan_ref" in values
    return Step(**values, handoff=Handoff(**handoff) if needs_handoff else None)


def _value(name: str, value: Any) -> object:  # noqa: ANN401 - checked plain data
    if name in _ITEMS:
        return tuple(_item(name, item) for item in value)
    if name == "open_questions":
        return tuple(value)
    if name == "token_usage":
        return TokenUsage(**value)
    if name in {"started_at", "ended_at"}:
        return _utc(value)
    return value


def _item(name: str, item: Mapping[str, Any]) -> object:
    present = {key: value for key, value in item.items() if value not in (None, "", [])}
    values = {key: tuple(v) if isinstance(v, list) else v for key, v in present.items()}
    return _ITEMS[name](**values)


def _utc(text: str) -> str:
    instant = read_instant(text)
    return timestamp(instant) if instant else text
