"""Runs one tool call: whatever goes wrong becomes a text that the model reads."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from agentjournal.agentloop.result import ToolRun
from agentjournal.errors import AgentJournalError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentjournal.agentloop.message import ToolCall
    from agentjournal.agentloop.registry import Registry
    from agentjournal.system.clock import Clock

__all__ = ["run_tool", "told"]


def run_tool(
    call: ToolCall,
    registry: Registry | None,
    *,
    clock: Clock,
    timeout: float | None = None,
    before: Callable[[ToolCall], str | None] | None = None,
) -> ToolRun:
    """Run the call; `before` may refuse it by giving a reason, `timeout` is in seconds.

    A tool that runs out of time is left to itself: its result is thrown away when it comes.
    """
    started = clock.monotonic()
    result, error = _outcome(call, registry, timeout, before)
    return ToolRun(
        name=call.name,
        args=call.arguments,
        result=result,
        error=error,
        latency_ms=int((clock.monotonic() - started) * 1000),
    )


def told(run: ToolRun) -> str:
    """Give what the model reads of it."""
    return run.result if run.result is not None else f"tool error: {run.error}"


def _outcome(
    call: ToolCall,
    registry: Registry | None,
    timeout: float | None,
    before: Callable[[ToolCall], str | None] | None,
) -> tuple[str | None, str | None]:
    try:
        if registry is None:
            raise InputError("There are no tools here.")  # noqa: TRY301 - told like any other
        reason = before(call) if before else None
        if reason is not None:
            return None, reason
        run, arguments = registry.tool(call.name).run, _arguments(call)
        return (run(arguments) if timeout is None else _within(timeout, run, arguments)), None
    except AgentJournalError as error:
        return None, str(error)
    except Exception as error:  # noqa: BLE001 - a tool may raise anything, and the loop goes on
        return None, f"{type(error).__name__}: {error}"


def _arguments(call: ToolCall) -> Mapping[str, object]:
    try:
        value = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError) as error:
        raise InputError(f"The arguments are no JSON: {error}.", next="Send one object.") from error
    if not isinstance(value, Mapping):
        raise InputError("The arguments are no object.", next="Send one object.")
    return value


def _within(
    seconds: float, run: Callable[[Mapping[str, object]], str], arguments: Mapping[str, object]
) -> str:
    """Run it in a thread of its own and wait for so long."""
    done: queue.Queue[str | Exception] = queue.Queue(1)

    def work() -> None:
        try:
            done.put(run(arguments))
        except Exception as error:  # noqa: BLE001 - handed over to who waits
            done.put(error)

    threading.Thread(target=work, daemon=True, name="tool").start()
    try:
        answer = done.get(timeout=seconds)
    except queue.Empty:
        raise InputError(f"It did not answer within {seconds:g} s.", next="Ask for less.") from None
    if isinstance(answer, Exception):
        raise answer
    return answer
