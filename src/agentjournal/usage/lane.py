"""What each lane's silence about the cache means, learned from what it has said."""

from __future__ import annotations

from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.usage.record import Usage

__all__ = ["Capability", "Lane", "Lanes"]

Capability = Literal["unknown", "reports_nonzero_only", "reports_zero", "never"]
Lane = tuple[str, str]


class Lanes:
    """The capability of each lane (base URL and model); safe for threads.

    A lane that has reported a non-zero count leaves zeros out: its later silence is a measured zero.
    """

    def __init__(self, known: Mapping[Lane, Capability] | None = None) -> None:
        self._known = dict(known or {})
        self._lock = Lock()

    def capability(self, lane: Lane) -> Capability:
        """Give what is known of a lane."""
        return self._known.get(lane, "unknown")

    def set(self, lane: Lane, capability: Capability) -> None:
        """Take over what a probe settled."""
        with self._lock:
            self._known[lane] = capability

    def known(self) -> dict[Lane, Capability]:
        """Give every lane that something is known of."""
        with self._lock:
            return dict(self._known)

    def settle(self, lane: Lane, usage: Usage) -> Usage:
        """Learn from one answer, and fill its silence in where the lane's silence means zero."""
        if usage.violations or usage.input_total is None:
            return usage
        learned = learn(self.capability(lane), usage.cache_read)
        if learned != "unknown":
            self.set(lane, learned)
        if usage.cache_read is None and learned == "reports_nonzero_only":
            return replace(usage, cache_read=0)
        return usage


def learn(before: Capability, cache_read: int | None) -> Capability:
    """Give what is known of a lane after one more answer."""
    if cache_read is None:
        return before
    if cache_read == 0:
        return "reports_zero"
    return before if before == "reports_zero" else "reports_nonzero_only"
