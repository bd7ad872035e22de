"""The fields of a step and the rule of each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from agentjournal.errors import Fault
from agentjournal.execution.handoff import GATE, HANDOFF, UUID7
from agentjournal.execution.rules import (
    Instant,
    Many,
    Pattern,
    Shape,
    Text,
    Whole,
    Word,
    described,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agentjournal.execution.rules import Rule

__all__ = [
    "ADDRESS",
    "ARTIFACT",
    "ENVELOPE",
    "FORM",
    "LOG_BYTES",
    "REQUIRED",
    "SHA256",
    "TOKEN",
    "TOUCH",
    "USAGE",
    "ArtifactKind",
    "End",
    "Result",
    "TouchKind",
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
class _Touch:
    """The name of a touch: a path below the project root, or a service."""

    def faults(self, field: str, value: object) -> Iterator[Fault]:
        """Give every fault of the touch that stands at `field`."""
        yield from _NAMED.faults(field, value)
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


_NAMED = Shape(
    {"kind": Word(get_args(TouchKind)), "name": Text(cap=400, lines="one", remedy="Shorten it.")},
    frozenset({"kind", "name"}),
)
TOUCH = _Touch()
ARTIFACT = Shape(
    {
        "kind": Word(get_args(ArtifactKind)),
        "ref": Text(cap=500, lines="one", remedy="Shorten it."),
        "note": Text(cap=200, lines="few", remedy="Shorten it."),
    },
    frozenset({"kind", "ref"}),
)
USAGE = Shape(
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
    "artifacts": Many(of=ARTIFACT, most=50),
    "touches": Many(of=TOUCH, most=200),
    "token_usage": USAGE,
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
SHA256 = Pattern(r"[0-9a-f]{64}", "is the sha256 of a token", "Hash the token.", is_secret=True)
