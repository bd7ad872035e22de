r"""A worker for `agentjournal loop` on any engine that speaks chat completions.

    OPENAI_BASE_URL=http://127.0.0.1:8080/v1 AGENT_MODEL=m \
      agentjournal loop shop --worker "python examples/agent_worker.py"

The brief comes on standard input. The model gets tools for the folder it stands in and for nothing else,
and hands off by calling `hand_off`; where it does not, the worker says honestly what was seen. Where
AGENT_OWNER names the owner of a journal, like `agent/shop/worker`, what it lived through is kept there
between runs, and stands below the stable part of the next brief.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from agentjournal import open_journal
from agentjournal.agentloop import Budget, Conversation, Loop, LoopError, Registry, Tool
from agentjournal.agentloop.client import ChatClient
from agentjournal.agentloop.memory import Memory
from agentjournal.agentloop.tools import writing_tools
from agentjournal.text.bounded import clip
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agentjournal.agentloop import LoopResult, Round
    from agentjournal.agentloop.message import Message, Reply

INSTRUCTIONS = """\
You are one worker on one task of a plan. Read your brief, look at the files, do the task with the tools.
Do not try again what the brief rules out. When you are done, or cannot go on, call hand_off once.
Say failed where it did not work, and what the next worker must not try again."""
RESULTS = ("success", "failed", "partial")


@dataclass
class Desk:
    """What this run wrote, what it cost, and the handoff that the model gave."""

    handoff: dict[str, object] | None = None
    written: list[str] = field(default_factory=list)
    prompt: int = 0
    cached: int | None = None
    output: int = 0

    def hand_off(self, given: Mapping[str, object]) -> str:
        """Take the model's handoff; a second one replaces the first."""
        texts = {name: one_line(str(given.get(name) or ""), 390) for name in _FIELDS}
        result = texts["result"] if texts["result"] in RESULTS else "partial"
        form: dict[str, object] = {
            "result": result,
            "action": texts["action"][:110] or "Worked on the task",
            "current_state": texts["current_state"] or "Not said.",
        }
        if result != "success":
            form["next_step"] = texts["next_step"] or "Look at what stands and go on."
        if result == "failed" or (texts["ruled_out"] and result != "success"):
            option = texts["ruled_out"] or texts["action"] or "What this worker did"
            why = texts["why"] or texts["current_state"] or "It did not work; no reason was given."
            form["ruled_out"] = [{"option": option[:190], "why": why}]
        self.handoff = form
        return "Taken. Say goodbye in one word."

    def note(self, done: Round) -> None:
        """Remember what was written in a round."""
        for run in done.tool_calls:
            if run.name == "write_file" and run.result is not None:
                self.written.append(one_line(str(json.loads(run.args)["path"]), 200))

    def form(self, result: LoopResult) -> dict[str, object]:
        """Give the handoff: the model's own, or what can be told from outside."""
        form = dict(self.handoff or self._seen(result))
        form["touches"] = [{"kind": "file", "name": name} for name in dict.fromkeys(self.written)]
        fresh = self.prompt - (self.cached or 0)
        usage = {"input_tokens": fresh, "output_tokens": self.output}
        form["token_usage"] = usage | (
            {} if self.cached is None else {"cache_read_tokens": self.cached}
        )
        form["log"] = clip(json.dumps(result.data(), ensure_ascii=False), 20_000)
        return form

    def _seen(self, result: LoopResult) -> dict[str, object]:
        """Tell what can be told without the model's word: never a success, and nothing is ruled out."""
        said = one_line(result.answer, 300) or "nothing"
        wrote = ", ".join(dict.fromkeys(self.written)) or "no file"
        return {
            "result": "partial",
            "action": f"Worked {len(result.rounds)} rounds without a handoff",
            "current_state": f"Stopped by {result.stopped}; wrote {wrote}; last words: {said}"[
                :1900
            ],
            "next_step": "Look at what stands in the files and go on from there.",
        }


_FIELDS = ("result", "action", "current_state", "next_step", "ruled_out", "why")


@dataclass
class Counted:
    """A client that adds up what its answers cost."""

    client: ChatClient
    desk: Desk

    def complete(self, messages: list[Message], tools: list[dict[str, object]] | None) -> Reply:
        """Ask, and count."""
        reply = self.client.complete(messages, tools)
        usage = reply.usage
        self.desk.prompt += usage.input_total or 0
        self.desk.output += usage.output or 0
        if usage.cache_read is not None:
            self.desk.cached = (self.desk.cached or 0) + usage.cache_read
        return reply


def main() -> int:
    """Do the task of the brief; exit 0 where it succeeded."""
    if not os.environ.get("OPENAI_BASE_URL"):
        print("agent_worker: set OPENAI_BASE_URL to your engine's base URL.", file=sys.stderr)
        return 2
    stable, task = parts(sys.stdin.read())
    desk = Desk()
    with memory() as lived:
        preamble = f"{INSTRUCTIONS}\n\n{stable}"
        conversation = Conversation(lived.system(preamble) if lived else preamble)
        try:
            result = loop(desk).run(conversation, task)
        except LoopError as error:
            result = error.result
            print(f"agent_worker: {error}", file=sys.stderr)
        form = desk.form(result)
        hand_over(json.dumps(form, ensure_ascii=False))
        if lived:
            lived.remember(os.environ.get("AGENTJOURNAL_TASK", "a task"), result)
    return 0 if form["result"] == "success" else 1


@contextlib.contextmanager
def memory() -> Iterator[Memory | None]:
    """Open the worker's journal, where it has one."""
    owner = os.environ.get("AGENT_OWNER", "")
    if not owner:
        yield None
        return
    with open_journal(owner) as kept:
        yield Memory(kept)


def hand_over(form: str) -> None:
    """Leave the handoff in the file that the wrapper named, or print it where there is no wrapper."""
    place = os.environ.get("AGENTJOURNAL_HANDOFF")
    if place:
        Path(place).write_text(form, encoding="utf-8")
    else:
        print(form)


def parts(brief: str) -> tuple[str, str]:
    """Give the stable part and the task part, as files beside the brief have them."""
    names = ("AGENTJOURNAL_BRIEF_STABLE", "AGENTJOURNAL_BRIEF_TASK")
    paths = [os.environ.get(name) for name in names]
    if all(paths):
        return tuple(Path(str(path)).read_text(encoding="utf-8") for path in paths)  # type: ignore[return-value] # two
    return "", brief


def loop(desk: Desk) -> Loop:
    """Build the loop from the environment: endpoint, model, window."""
    environment = os.environ
    client = ChatClient(
        endpoint=environment["OPENAI_BASE_URL"],
        model=environment.get("AGENT_MODEL", "default"),
        key=environment.get("OPENAI_API_KEY", ""),
        cache_key=environment.get("AGENTJOURNAL_PROJECT", ""),
        max_tokens=int(environment.get("AGENT_MAX_TOKENS", "512")),
    )
    window = int(environment.get("AGENT_WINDOW", "0"))
    tools = [*writing_tools(Path.cwd()).tools(), hand_off_tool(desk)]
    return Loop(
        client=Counted(client, desk),
        registry=Registry(tools),
        max_rounds=int(environment.get("AGENT_ROUNDS", "12")),
        budget=Budget(max_model_len=window, output_reserve=client.max_tokens if window else 0),
        on_round=desk.note,
    )


def hand_off_tool(desk: Desk) -> Tool:
    """Give the tool with which the model ends its work."""
    about = {
        "result": "success, failed or partial",
        "action": "One line that begins with a verb: what you did.",
        "current_state": "What is true now.",
        "next_step": "What the next worker should do; not for success.",
        "ruled_out": "An approach that must not be tried again.",
        "why": "Why it is ruled out.",
    }
    properties = {name: {"type": "string", "description": text} for name, text in about.items()}
    required = ["result", "action", "current_state"]
    return Tool(
        name="hand_off",
        description="End your work: say what is done, what is not, and what is ruled out.",
        parameters={"type": "object", "properties": properties, "required": required},
        run=desk.hand_off,
    )


if __name__ == "__main__":
    sys.exit(main())
