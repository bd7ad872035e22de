"""What follows when an attempt comes back: one pure table, first row that holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentjournal.execution.task import TaskFacts

__all__ = ["DEFAULT_LIMITS", "Limits", "Verdict", "VerdictKind", "verdict"]

VerdictKind = Literal["next", "retry", "retry_modified", "retry_same", "escalate", "stop"]

CRASHES = frozenset({"signal", "timeout", "no_stop_event"})


@dataclass(frozen=True)
class Limits:
    """How often a task may come back before a person has to look; from the settings."""

    max_attempts: int = 3
    max_contracts_missing: int = 2
    max_crashes: int = 2


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True)
class Verdict:
    """What to do next about a task, and why in a few words."""

    kind: VerdictKind
    why: str

    @property
    def is_retry(self) -> bool:
        """Say whether another attempt is allowed."""
        return self.kind.startswith("retry")


@dataclass(frozen=True)
class _Row:
    holds: Callable[[TaskFacts, Limits], bool]
    kind: VerdictKind
    why: str


# The order decides: a row speaks only where none before it does.
_ROWS = (
    _Row(lambda t, _: t.last_result is None, "next", "no attempt has come back"),
    _Row(lambda t, _: t.last_end == "spawn_failed", "stop", "the worker could not be started"),
    _Row(lambda t, _: t.last_result == "gated", "escalate", "gated"),
    _Row(lambda t, _: t.last_result == "skipped", "next", "skipped"),
    _Row(lambda t, _: t.last_result == "success", "next", "success"),
    _Row(lambda t, n: t.closes >= n.max_attempts, "escalate", "attempts used up ({closes})"),
    _Row(
        lambda t, n: t.last_end in CRASHES and t.crashes >= n.max_crashes,
        "escalate",
        "ended without a word {crashes} times, last by {last_end}",
    ),
    _Row(lambda t, _: t.last_end in CRASHES, "retry_same", "ended without a word: {last_end}"),
    _Row(
        lambda t, n: (
            t.last_end == "contract_missing" and t.contracts_missing >= n.max_contracts_missing
        ),
        "escalate",
        "no valid handoff {contracts_missing} times",
    ),
    _Row(lambda t, _: t.last_end == "contract_missing", "retry", "no valid handoff"),
    _Row(lambda t, _: t.last_end == "acceptance_failed", "retry_modified", "acceptance failed"),
    _Row(
        lambda t, _: t.last_result == "failed" and t.has_question_only,
        "escalate",
        "failed with only an open question",
    ),
    _Row(
        lambda t, _: t.last_result == "failed" and t.has_new_ruled_out,
        "retry_modified",
        "failed, something newly ruled out",
    ),
    _Row(
        lambda t, _: t.last_result == "failed" and t.is_same_fingerprint,
        "escalate",
        "failed the same way as before",
    ),
    _Row(lambda t, _: t.last_result == "failed", "retry", "failed"),
    _Row(lambda _, __: True, "retry", "partial: go on from the next step"),
)


def verdict(task: TaskFacts, limits: Limits) -> Verdict:
    """Say what follows from a task's facts; the same facts always give the same answer."""
    row = next(row for row in _ROWS if row.holds(task, limits))
    return Verdict(
        row.kind,
        row.why.format(
            closes=task.closes,
            crashes=task.crashes,
            contracts_missing=task.contracts_missing,
            last_end=task.last_end,
        ),
    )
