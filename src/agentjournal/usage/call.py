"""One completion as it is observed, stored and reported, and where a prefix broke."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from agentjournal.usage.record import Usage
    from agentjournal.usage.subject import Subject

__all__ = ["Break", "Call", "Source", "Touch"]

Source = Literal["observer", "proxy", "import", "loop"]


@dataclass(frozen=True, kw_only=True)
class Call:
    """One answered completion; `lane` is the base URL that answered, `ms` the time until its end."""

    id: str
    at: str
    usage: Usage
    subject: Subject
    model: str = ""
    lane: str | None = None
    source: Source = "observer"
    ms: int | None = None


@dataclass(frozen=True, kw_only=True)
class Break:
    """One turn whose prefix broke: where, and why it probably did.

    `turn` counts from 1 within the conversation. `byte` is the first differing one within the value at
    `path`, None where only its presence differs. `lost` counts tokens that a cache had and did not give.
    """

    id: str
    at: str
    subject: Subject
    model: str = ""
    source: Source = "observer"
    turn: int | None = None
    block: str | None = None
    path: str | None = None
    byte: int | None = None
    cause: str
    detail: str = ""
    lost: int | None = None


@dataclass(frozen=True, kw_only=True)
class Touch:
    """One file that an agent read or changed."""

    id: str
    at: str
    subject: Subject
    kind: Literal["read", "write"]
    path: str
