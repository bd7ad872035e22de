"""For whom a completion was made: the component, and the owner, task and attempt where known."""

from __future__ import annotations

import contextlib
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from agentjournal.text.canonical import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Subject", "component"]

_COMPONENT: ContextVar[str] = ContextVar("agentjournal_usage_component", default="")


@dataclass(frozen=True, kw_only=True)
class Subject:
    """Whom the tokens are counted for; `attempt` is the SHA-256 of the attempt's token, as in the log.

    `thread` names one conversation of an owner that has several: a subagent's.
    """

    component: str = ""
    owner: str | None = None
    project: str | None = None
    task: str | None = None
    attempt: str | None = None
    thread: str | None = None

    @classmethod
    def of_environment(cls, environment: Mapping[str, str], component: str = "") -> Self:
        """Read what a dispatched worker finds in its environment."""
        token = environment.get("AGENTJOURNAL_ATTEMPT", "").strip()
        attempt = sha256_hex(token) if token else None
        return cls(
            component=component,
            owner=attempt,
            project=environment.get("AGENTJOURNAL_PROJECT", "").strip() or None,
            task=environment.get("AGENTJOURNAL_TASK", "").strip() or None,
            attempt=attempt,
        )

    def narrowed(self) -> Self:
        """Give the subject with the component of the context, where one is set."""
        inner = _COMPONENT.get()
        return replace(self, component=inner) if inner else self


@contextlib.contextmanager
def component(name: str) -> Iterator[None]:
    """Count every completion inside the block for this component; a blank name keeps the outer one."""
    token = _COMPONENT.set(name.strip() or _COMPONENT.get())
    try:
        yield
    finally:
        _COMPONENT.reset(token)
