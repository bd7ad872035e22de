"""One agent's part of a session: its calls in order, the files it touched, what reset its history."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from agentjournal.system.clock import read_moment, timestamp
from agentjournal.text.canonical import sha256_hex
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.usage.record import Usage

__all__ = ["Agent", "Touched", "Turn", "moment", "token_digest"]

_TOKEN = re.compile(r"\baj-[a-z2-7]{26}\b")
_PATH_BYTES = 1000


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One completion: its id in the program's own words, when, and what reset the history before it."""

    id: str
    at: str
    usage: Usage
    reset: str = ""


@dataclass(frozen=True, kw_only=True)
class Touched:
    """One file that a tool read or changed."""

    at: str
    kind: Literal["read", "write"]
    path: str


@dataclass
class Agent:
    """One agent of a session; `thread` is None for the main one, `attempt` the digest of its token."""

    program: str
    session: str
    thread: str | None = None
    kind: str = ""
    parent: str | None = None
    attempt: str | None = None
    turns: dict[str, Turn] = field(default_factory=dict)
    touches: list[Touched] = field(default_factory=list)
    pending_reset: str = ""

    @property
    def component(self) -> str:
        """Name the program, and the kind of a subagent."""
        return f"{self.program}/{self.kind or 'subagent'}" if self.thread else self.program

    def add(self, turn: Turn) -> None:
        """Take in one turn; the same id again is the same call, whose last counts stand."""
        before = self.turns.get(turn.id)
        if before is not None:
            turn = Turn(id=turn.id, at=before.at, usage=turn.usage, reset=before.reset)
        elif self.pending_reset:
            turn = Turn(id=turn.id, at=turn.at, usage=turn.usage, reset=self.pending_reset)
            self.pending_reset = ""
        self.turns[turn.id] = turn

    def touch(self, at: str, kind: Literal["read", "write"], path: object) -> None:
        """Take in one touched file."""
        if isinstance(path, str) and path.strip():
            self.touches.append(Touched(at=at, kind=kind, path=one_line(path, _PATH_BYTES)))


def moment(line: Mapping[str, object]) -> str:
    """Give the line's time as we write it, blank where it has none."""
    value = line.get("timestamp")
    read = read_moment(value) if isinstance(value, str) else None
    return timestamp(read) if read else ""


def token_digest(text: str) -> str | None:
    """Give the digest of the attempt token that a brief brought, None where there is none."""
    found = _TOKEN.search(text)
    return sha256_hex(found.group()) if found else None
