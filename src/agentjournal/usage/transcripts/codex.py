"""Transcripts of Codex: one file per thread, a record of usage per response."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from agentjournal.usage.count import inner, word
from agentjournal.usage.normalise import normalise
from agentjournal.usage.transcripts.session import Agent, Turn, moment, token_digest

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Codex", "is_codex"]

PROGRAM = "codex"
_TYPES = ("session_meta", "turn_context", "response_item", "event_msg", "token_usage_record")
_PATCHED = re.compile(
    r"^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$", re.MULTILINE
)


def is_codex(line: Mapping[str, object]) -> bool:
    """Say whether a line is of such a transcript."""
    return line.get("type") in _TYPES and "payload" in line


class _Thread:
    """One file while it is read."""

    def __init__(self, name: str) -> None:
        self.agent = Agent(PROGRAM, name)
        self.model: str | None = None
        self.counted: list[Turn] = []  # from running totals, for versions that write no records
        self.total: object = None
        self.children: list[str] = []
        self.root: str | None = None


class Codex:
    """Collects every thread, and joins those that another one started."""

    def __init__(self) -> None:
        self._threads: dict[str, _Thread] = {}

    def take(self, path: Path, lines: Iterable[Mapping[str, object]]) -> None:
        """Read one file."""
        thread = _Thread(path.stem)
        for line in lines:
            payload = inner(line, "payload")
            match line.get("type"):
                case "session_meta":
                    self._begin(thread, payload)
                case "turn_context":
                    thread.model = word(payload.get("model")) or thread.model
                case "token_usage_record":
                    self._record(thread, line, payload)
                case "event_msg":
                    self._event(thread, line, payload)
                case "response_item":
                    self._item(thread, line, payload)
                case "compacted":
                    thread.agent.pending_reset = "the program compacted its history"
        for turn in thread.counted if not thread.agent.turns else ():
            thread.agent.add(turn)
        self._threads.setdefault(thread.agent.session, thread)

    def finish(self) -> list[Agent]:
        """Give every thread's agent; one that was started by another stands under its session."""
        parents = {child: name for name, each in self._threads.items() for child in each.children}
        for name, thread in self._threads.items():
            root = thread.root or self._root(parents, name)
            if root != name:
                thread.agent.session, thread.agent.thread = root, name
            main = self._threads.get(root)
            if thread.agent.attempt is None and main is not None:
                thread.agent.attempt = main.agent.attempt
        return [thread.agent for thread in self._threads.values()]

    @staticmethod
    def _root(parents: Mapping[str, str], name: str) -> str:
        seen = {name}
        while (parent := parents.get(name)) is not None and parent not in seen:
            seen.add(parent)
            name = parent
        return name

    @staticmethod
    def _begin(thread: _Thread, payload: Mapping[str, object]) -> None:
        thread.agent.session = word(payload.get("id")) or thread.agent.session

    @staticmethod
    def _record(thread: _Thread, line: Mapping[str, object], payload: Mapping[str, object]) -> None:
        name = word(payload.get("response_id")) or str(len(thread.agent.turns))
        thread.root = word(payload.get("session_id")) or thread.root
        thread.agent.add(
            _turn(thread, f"{thread.agent.session}/{name}", line, payload.get("usage"))
        )

    @staticmethod
    def _event(thread: _Thread, line: Mapping[str, object], payload: Mapping[str, object]) -> None:
        """Take running totals where they moved, and the threads that this one started."""
        if payload.get("type") == "token_count":
            total, last = (
                inner(payload, "info", "total_token_usage"),
                inner(payload, "info", "last_token_usage"),
            )
            if last and total != thread.total:
                thread.total = total
                name = f"{thread.agent.session}/{len(thread.counted)}"
                thread.counted.append(_turn(thread, name, line, last))
        elif payload.get("type") == "context_compacted":
            thread.agent.pending_reset = "the program compacted its history"
        started = inner(payload, "item").get("receiver_thread_ids")
        if isinstance(started, list) and inner(payload, "item").get("tool") == "spawn_agent":
            thread.children += [each for each in started if isinstance(each, str)]

    @staticmethod
    def _item(thread: _Thread, line: Mapping[str, object], payload: Mapping[str, object]) -> None:
        agent = thread.agent
        if payload.get("role") == "user" and agent.attempt is None and not agent.turns:
            agent.attempt = token_digest(json.dumps(payload.get("content")))
        for patched in _PATCHED.finditer(_arguments(payload)):
            agent.touch(moment(line), "write", patched[1] or patched[2])


def _turn(thread: _Thread, name: str, line: Mapping[str, object], usage: object) -> Turn:
    body = {"model": thread.model, "usage": usage}
    return Turn(id=f"codex/{name}", at=moment(line), usage=normalise(body, "openai-responses"))


def _arguments(payload: Mapping[str, object]) -> str:
    """Give a tool call's text, taken out of the JSON that it may be wrapped in."""
    text = payload.get("arguments") or payload.get("input") or ""
    if not isinstance(text, str) or "*** " not in text:
        return ""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    parts = value.values() if isinstance(value, Mapping) else [value]
    flat = [part for each in parts for part in (each if isinstance(each, list) else [each])]
    return "\n".join(part for part in flat if isinstance(part, str))
