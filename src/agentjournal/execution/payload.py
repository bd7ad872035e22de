"""A step as it will be stored: secrets out, its line composed, all of it before any lock."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from agentjournal.execution.handoff import plain
from agentjournal.execution.projection.change import stream_of
from agentjournal.execution.record import compose_line
from agentjournal.execution.reopen_if import facts_to_keep
from agentjournal.log.event import draft
from agentjournal.text.canonical import canonical_json
from agentjournal.text.redact import redact_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.execution.logged import StepKind
    from agentjournal.execution.projection.change import Body
    from agentjournal.execution.step import Step
    from agentjournal.log.event import Draft, Event

__all__ = [
    "Payload",
    "content_of",
    "observed_facts",
    "payload_of",
    "without_broken",
    "without_secrets",
]

_COLUMNS = ("id", "project_slug", "actor")
_WRITERS = (
    "plan_ref",
    "attempt",
    "action",
    "result",
    "log",
    "handoff",
    "artifacts",
    "touches",
    "gate_events",
    "parent_id",
    "token_usage",
)
_FREE = (
    "action",
    "log",
    "handoff",
    "artifacts",
    "touches",
    "gate_events",
    "faults",
    "title",
    "text",
    "why",
)
_MARKED = re.compile(r"\[redacted:[^\]]*\]")
_BROKEN = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, kw_only=True)
class Payload:
    """What is stored of a step, and what was taken out: kinds of secrets, broken characters."""

    id: str
    slug: str
    actor: str
    at: str
    body: Mapping[str, Any]
    redacted: tuple[str, ...] = ()
    replaced: int = 0

    def draft(self, kind: StepKind, **more: object) -> Draft:
        """Make the event; a close carries the line that it leaves in the project's record."""
        return draft(
            stream=stream_of(self.slug),
            id=self.id,
            kind=kind,
            actor=self.actor,
            at=self.at,
            payload={**self.body, **{name: v for name, v in more.items() if v is not None}},
            turn=self._line() if kind == "close" else None,
        )

    def is_content_of(self, event: Event) -> bool:
        """Say whether the event holds what the writer gave here; a redacted one always does."""
        if event.kind not in {"step", "close"} or event.stream != stream_of(self.slug):
            return False
        mine = content_of(self.actor, self.body)
        return "redacted" in event.body or mine == content_of(event.actor, event.body)

    @property
    def notes(self) -> tuple[str, ...]:
        """Say what was replaced besides secrets: these the answer names itself."""
        replaced = f"{self.replaced} characters of the log replaced by U+FFFD"
        return (replaced,) if self.replaced else ()

    def _line(self) -> str:
        ruled_out = self.body.get("handoff", {}).get("ruled_out", ())
        return compose_line(
            task=self.body["plan_ref"],
            result=self.body["result"],
            actor=self.actor,
            action=self.body["action"],
            ruled_out=[item["option"] for item in ruled_out],
        )


def payload_of(step: Step, blobs: Mapping[str, str] | None = None) -> Payload:
    """Turn a step into what is stored of it.

    `blobs` maps paths of the working tree to the hashes of their contents: what an option's
    `path GLOB changes` will be compared with.
    """
    given: dict[str, Any] = plain(step)
    log, replaced = without_broken(step.log)
    given |= {"log": log} if log else {}
    body, redacted = without_secrets({k: v for k, v in given.items() if k not in _COLUMNS})
    return Payload(
        id=step.id,
        slug=step.project_slug,
        actor=step.actor,
        at=step.ended_at,
        body={"v": 1, **body, **observed_facts(given.get("handoff", {}), blobs)},
        redacted=redacted,
        replaced=replaced,
    )


def content_of(actor: str, body: Body) -> str:
    """Give what makes two steps the same: the writer's own fields, whatever secrets they held."""
    kept = {name: body[name] for name in _WRITERS if name in body}
    return _MARKED.sub("[redacted]", canonical_json([actor, kept]))


def without_broken(text: str) -> tuple[str, int]:
    """Replace each NUL and lone surrogate by U+FFFD, and count them."""
    return _BROKEN.subn("\N{REPLACEMENT CHARACTER}", text)


def without_secrets(body: Body) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Replace what looks like a secret, attempt tokens included, in a payload's free texts."""
    free, kinds = redact_value({name: body[name] for name in _FREE if name in body})
    return {**body, **cast("Body", free)}, kinds


def observed_facts(handoff: Body, blobs: Mapping[str, str] | None) -> dict[str, Any]:
    """Give, as a part of the payload, what options may later be compared with, by their place."""
    facts = {
        str(place): kept
        for place, item in enumerate(handoff.get("ruled_out", ()), start=1)
        if item.get("reopen_if") and (kept := facts_to_keep(item["reopen_if"], blobs)) is not None
    }
    return {"observed": facts} if facts else {}
