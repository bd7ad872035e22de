"""How a run of the loop ended, round by round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.agentloop.metrics import TurnMetrics

__all__ = ["LoopResult", "Round", "Stopped", "ToolRun"]

Stopped = Literal["final", "budget", "max_rounds", "error"]


@dataclass(frozen=True, kw_only=True)
class ToolRun:
    """One tool call as it went: a result or an error, and how long it took."""

    name: str
    args: str
    result: str | None = None
    error: str | None = None
    latency_ms: int = 0

    def data(self) -> dict[str, object]:
        """Give it for a program."""
        fields: Mapping[str, object | None] = {
            "name": self.name,
            "args": self.args,
            "result": self.result,
            "error": self.error,
            "latency_ms": self.latency_ms,
        }
        return {name: value for name, value in fields.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class Round:
    """One request and what followed from its reply."""

    round: int
    metrics: TurnMetrics
    tool_calls: tuple[ToolRun, ...] = ()
    final: bool = False

    def data(self) -> dict[str, object]:
        """Give it for a program."""
        calls = [run.data() for run in self.tool_calls]
        return {
            "round": self.round,
            "metrics": self.metrics.data(),
            **({"tool_calls": calls} if calls else {}),
            "final": self.final,
        }


@dataclass(frozen=True, kw_only=True)
class LoopResult:
    """The answer, why the loop stopped, and its rounds."""

    answer: str
    stopped: Stopped
    rounds: tuple[Round, ...]
    finish_reason: str | None = None

    def data(self) -> dict[str, object]:
        """Give it for a program."""
        return {
            "answer": self.answer,
            "stopped": self.stopped,
            "rounds": [each.data() for each in self.rounds],
            **({"finish_reason": self.finish_reason} if self.finish_reason else {}),
        }
