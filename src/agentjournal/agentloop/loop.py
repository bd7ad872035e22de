"""Talks to an engine until it answers without asking for a tool, or a limit is reached."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from agentjournal.agentloop.budget import Budget, BudgetError
from agentjournal.agentloop.message import Message, Reply, ToolCall
from agentjournal.agentloop.result import LoopResult, Round
from agentjournal.agentloop.run_tool import run_tool, told
from agentjournal.errors import AgentJournalError, InputError
from agentjournal.journal.tokens import TokenLedger
from agentjournal.system.clock import Clock, SystemClock

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agentjournal.agentloop.conversation import Conversation
    from agentjournal.agentloop.registry import Registry
    from agentjournal.agentloop.result import Stopped, ToolRun

__all__ = ["Client", "Loop", "LoopError"]


class Client(Protocol):
    """Asks an engine once."""

    def complete(self, messages: Sequence[Message], tools: list[dict[str, object]] | None) -> Reply:
        """Give the reply.

        Raises:
            BudgetError: the engine refused the prompt as too long.
        """
        ...


class LoopError(AgentJournalError):
    """A round failed; `result` holds what came before it, the cause is chained."""

    kind = "agent_loop"

    def __init__(self, message: str, result: LoopResult) -> None:
        super().__init__(message)
        self.result = result


@dataclass(kw_only=True)
class Loop:
    """The loop and its limits; `before_tool` may refuse a call by giving a reason: the one hook for gates.

    The budget counts all that is sent: what the engine measured last, and an estimate of what came since.
    """

    client: Client
    registry: Registry | None = None
    max_rounds: int = 20
    budget: Budget = field(default_factory=Budget)
    tool_timeout: float | None = None
    before_tool: Callable[[ToolCall], str | None] | None = None
    on_round: Callable[[Round], None] | None = None
    ledger: TokenLedger = field(default_factory=TokenLedger)
    clock: Clock = field(default_factory=SystemClock)

    def run(self, conversation: Conversation, user_input: str) -> LoopResult:
        """Append the input and go on until the end, which is one of four and always clean but the last.

        Raises:
            InputError: a limit allows no round at all; nothing was appended.
            LoopError: a round failed.
        """
        if self.max_rounds <= 0:
            raise InputError(f"{self.max_rounds} rounds are none.", next="Allow at least one.")
        if self.budget.is_contradictory:
            raise InputError(
                f"A window of {self.budget.max_model_len} tokens with {self.budget.output_reserve} kept "
                "for the answer leaves nothing to ask.",
                next="Name the engine's real window, or reserve less.",
            )
        conversation.append(Message(role="user", content=user_input))
        return _Run(self, conversation).to_its_end()


class _Run:
    """One run of the loop while it goes on."""

    def __init__(self, loop: Loop, conversation: Conversation) -> None:
        self._loop = loop
        self._conversation = conversation
        self._tools = loop.registry.definitions() if loop.registry else None
        self._rounds: list[Round] = []
        self._measured = 0  # tokens of the prompt that the engine counted last
        self._sent = 0  # messages that were in it

    def to_its_end(self) -> LoopResult:
        for number in range(1, self._loop.max_rounds + 1):
            try:
                self._loop.budget.check(self._expected())
                reply = self._ask()
            except BudgetError:
                return self._ended("budget")
            except Exception as error:
                partial = self._ended("error")
                raise LoopError(f"round {number}: {error}", partial) from error
            calls = reply.message.tool_calls
            runs = [self._run_tool(call) for call in calls]
            self._note(number, reply, runs)
            if not calls:
                return self._ended("final", reply.message.content, reply.metrics.finish_reason)
            try:
                self._loop.budget.check(reply.metrics.prompt_tokens)
            except BudgetError:
                return self._ended("budget", finish_reason=reply.metrics.finish_reason)
        return self._ended("max_rounds")

    def _ask(self) -> Reply:
        messages = self._conversation.messages()
        size = self._size(messages)
        reply = self._loop.client.complete(messages, self._tools)
        self._conversation.append(reply.message)
        self._measured, self._sent = reply.metrics.prompt_tokens, len(messages)
        self._loop.ledger.calibrate(size, self._measured)
        return reply

    def _run_tool(self, call: ToolCall) -> ToolRun:
        loop = self._loop
        run = run_tool(
            call,
            loop.registry,
            clock=loop.clock,
            timeout=loop.tool_timeout,
            before=loop.before_tool,
        )
        self._conversation.append(
            Message(role="tool", content=told(run), name=call.name, tool_call_id=call.id)
        )
        return run

    def _note(self, number: int, reply: Reply, runs: list[ToolRun]) -> None:
        done = Round(
            round=number,
            metrics=reply.metrics,
            tool_calls=tuple(runs),
            final=not reply.message.tool_calls,
        )
        self._rounds.append(done)
        if self._loop.on_round is not None:
            self._loop.on_round(done)

    def _expected(self) -> int:
        """Estimate the next prompt: system text, tools, history and tail, none of them left out."""
        messages = self._conversation.messages()
        if not self._measured:
            return self._loop.ledger.estimate_bytes(self._size(messages))
        fresh = self._bytes(messages[self._sent :])
        return self._measured + self._loop.ledger.estimate_bytes(fresh)

    def _size(self, messages: list[Message]) -> int:
        tools = json.dumps(self._tools, ensure_ascii=False) if self._tools else ""
        return self._bytes(messages) + len(tools.encode(errors="surrogatepass"))

    @staticmethod
    def _bytes(messages: list[Message]) -> int:
        sent = json.dumps([message.body() for message in messages], ensure_ascii=False)
        return len(sent.encode(errors="surrogatepass"))

    def _ended(
        self, stopped: Stopped, answer: str = "", finish_reason: str | None = None
    ) -> LoopResult:
        return LoopResult(
            answer=answer,
            stopped=stopped,
            rounds=tuple(self._rounds),
            finish_reason=finish_reason,
        )
