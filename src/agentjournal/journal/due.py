"""When to consolidate: decided before a prompt is assembled, from arguments alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from agentjournal.journal.floor import SOFT_BYTES

if TYPE_CHECKING:
    from agentjournal.journal.journal import Journal

Reason = Literal["budget", "soft", "idle"]

_FIRST_PAUSE = 60.0
_LONGEST_PAUSE = 3600.0


@dataclass(frozen=True, kw_only=True)
class MemoryLimits:
    """What a memory may take.

    `budget_tokens` is the window without system prompt, tail and answer, which the estimate does
    not hold. `cache_seconds` is how long the engine keeps a prefix that nobody asks for.
    """

    budget_tokens: float
    threshold: float = 0.9
    soft_bytes: int = SOFT_BYTES
    idle_threshold: float = 0.5
    cache_seconds: float = 300.0


def consolidation_due(
    journal: Journal,
    limits: MemoryLimits,
    *,
    idle_seconds: float | None = None,
    failures: int = 0,
    since_failure: float = 0.0,
) -> Reason | None:
    """Say why the journal should be consolidated now, or None.

    `budget` and `soft`: it has reached its share of the budget, or of the bytes. `idle`: nobody
    asked for so long that the prefix is cold anyway, and it is half full: rewriting costs nothing
    then. After failures in a row nothing is due until `pause_after` has passed.
    """
    if failures and since_failure < pause_after(failures):
        return None
    reason = _reason(journal, limits, idle_seconds)
    return reason if reason and journal.is_divisible() else None


def pause_after(failures: int) -> float:
    """Give the seconds to wait after so many failures in a row: one minute, doubled up to an hour."""
    return min(_FIRST_PAUSE * 2.0 ** min(failures - 1, 30), _LONGEST_PAUSE) if failures > 0 else 0.0


def _reason(journal: Journal, limits: MemoryLimits, idle_seconds: float | None) -> Reason | None:
    if journal.needs_consolidation(limits.budget_tokens, limits.threshold):
        return "budget"
    if journal.size > limits.soft_bytes:
        return "soft"
    is_cold = idle_seconds is not None and idle_seconds > limits.cache_seconds
    if is_cold and journal.needs_consolidation(limits.budget_tokens, limits.idle_threshold):
        return "idle"
    return None
