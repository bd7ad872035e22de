"""Proves the loop's promises offline, against an engine that is played."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from agentjournal.agentloop.budget import Budget, BudgetError
from agentjournal.agentloop.client import ChatClient
from agentjournal.agentloop.conversation import Conversation
from agentjournal.agentloop.loop import Loop
from agentjournal.agentloop.registry import Registry
from agentjournal.agentloop.tools import reading_tools
from agentjournal.errors import AgentJournalError

if TYPE_CHECKING:
    from agentjournal.agentloop.result import LoopResult

__all__ = ["Check", "SelfCheck", "self_check"]

_ANSWER = "It says hello."
_HEADERS = {"X-Flexinfer-Upstream-Ms": "1400", "X-Flexinfer-Cached-Tokens": "480"}


@dataclass(frozen=True, kw_only=True)
class Check:
    """One promise, and whether it held."""

    name: str
    passed: bool
    detail: str = ""


@dataclass(frozen=True)
class SelfCheck:
    """Every promise."""

    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Say whether all of them held."""
        return all(check.passed for check in self.checks)

    def data(self) -> dict[str, object]:
        """Give the report for a program."""
        checks = [
            {"name": c.name, "passed": c.passed, **({"detail": c.detail} if c.detail else {})}
            for c in self.checks
        ]
        return {"passed": self.passed, "checks": checks}


class _Played:
    """An engine that asks for one tool and then answers; it keeps what it was asked."""

    def __init__(self) -> None:
        self.requests: list[list[object]] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(json.loads(request.content)["messages"])
        return httpx.Response(200, headers=_HEADERS, json=self._answer(len(self.requests)))

    @staticmethod
    def _answer(number: int) -> dict[str, object]:
        call = {"name": "read_file", "arguments": '{"path": "hello.txt"}'}
        asking = {"content": "", "tool_calls": [{"id": "1", "type": "function", "function": call}]}
        message = asking if number == 1 else {"content": _ANSWER}
        reason = "tool_calls" if number == 1 else "stop"
        usage = {"prompt_tokens": 500 * number, "completion_tokens": 9}
        choice = {"message": {"role": "assistant", **message}, "finish_reason": reason}
        return {"choices": [choice], "usage": usage}


def self_check() -> SelfCheck:
    """Run the loop once and look at what it did; nothing leaves the machine."""
    engine = _Played()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "hello.txt").write_text("hello", encoding="utf-8")
        client = ChatClient(
            endpoint="http://engine", model="played", transport=httpx.MockTransport(engine)
        )
        loop = Loop(client=client, registry=Registry(reading_tools(Path(folder))))
        result = loop.run(Conversation("You read files."), "What does hello.txt say?")
        jailed = _jailed(Path(folder))
    return SelfCheck(
        (
            _reached(result),
            _extended(engine.requests),
            _measured(result),
            jailed,
            _arithmetic(),
        )
    )


def _reached(result: LoopResult) -> Check:
    runs = [run for each in result.rounds for run in each.tool_calls]
    is_good = result.stopped == "final" and result.answer == _ANSWER
    is_good = is_good and [run.result for run in runs] == ["hello"]
    return Check(name="reaches_final_via_real_tool", passed=is_good, detail=result.stopped)


def _extended(requests: list[list[object]]) -> Check:
    first, second = requests
    is_good = second[: len(first)] == first and len(second) > len(first)
    return Check(name="append_only_prefix_extension", passed=is_good)


def _measured(result: LoopResult) -> Check:
    metrics = result.rounds[0].metrics
    is_good = (metrics.upstream_ms, metrics.cached_tokens) == (1400, 480)
    return Check(name="metrics_parsed_from_headers", passed=is_good, detail=str(metrics.data()))


def _jailed(folder: Path) -> Check:
    read = reading_tools(folder)[0].run
    refused = 0
    outside = ("/etc/passwd", "../x", "a/../../x", "link/x")
    (folder / "link").symlink_to("/")
    for path in outside:
        try:
            read({"path": path})
        except AgentJournalError:
            refused += 1
    is_good = refused == len(outside)
    return Check(name="path_jail_rejects_escape", passed=is_good, detail=f"{refused} refused")


def _arithmetic() -> Check:
    budget = Budget(max_model_len=1000, output_reserve=200, system_tokens=100)
    try:
        budget.check(budget.prompt_ceiling)
        budget.check(budget.prompt_ceiling + 1)
    except BudgetError as error:
        is_good = (error.over_by, budget.usable) == (1, 700)
        return Check(name="budget_arithmetic", passed=is_good, detail=str(error))
    return Check(name="budget_arithmetic", passed=False, detail="nothing stopped")
