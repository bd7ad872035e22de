"""Transcripts of Claude Code: one line per content block, each repeating its message's usage."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from agentjournal.usage.count import inner, word
from agentjournal.usage.normalise import normalise
from agentjournal.usage.transcripts.session import Agent, Turn, moment, token_digest

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Claude", "is_claude"]

PROGRAM = "claude-code"
_READING = ("Read", "NotebookRead")
_WRITING = ("Write", "Edit", "MultiEdit", "NotebookEdit")
_NO_MODEL = "<synthetic>"  # the program's own words, such as an API error: no call was answered


def is_claude(line: Mapping[str, object]) -> bool:
    """Say whether a line is of such a transcript."""
    return "sessionId" in line or (line.get("type") == "assistant" and "message" in line)


class Claude:
    """Collects the agents of every session; each message counts once, in whichever files it stands."""

    def __init__(self) -> None:
        self.agents: dict[tuple[str, str | None], Agent] = {}
        self._homes: dict[str, Agent] = {}
        self._kinds: dict[str, str] = {}

    def take(self, path: Path, lines: Iterable[Mapping[str, object]]) -> None:
        """Read one file, the main one of a session or a subagent's."""
        described = _description(path)
        for line in lines:
            session, thread = word(line.get("sessionId")) or path.stem, _thread(line)
            agent = self.agents.setdefault(
                (session, thread), Agent(PROGRAM, session, thread, described or "")
            )
            self._read(agent, line)

    def finish(self) -> list[Agent]:
        """Give every agent; subagents belong to their session's attempt where they have none of their own."""
        for agent in self.agents.values():
            agent.kind = self._kinds.get(agent.thread or "", agent.kind)
            main = self.agents.get((agent.session, None))
            if agent.attempt is None and main is not None:
                agent.attempt = main.attempt
        return list(self.agents.values())

    def _read(self, agent: Agent, line: Mapping[str, object]) -> None:
        kind = line.get("type")
        if line.get("isCompactSummary") or line.get("subtype") == "compact_boundary":
            agent.pending_reset = "the program compacted its history"
        if kind == "assistant":
            self._answer(agent, line)
        elif kind == "user":
            self._told(agent, line)

    def _told(self, agent: Agent, line: Mapping[str, object]) -> None:
        """Look for the attempt's token in the first words, and for what a subagent's result says of it."""
        if agent.attempt is None and not agent.turns:
            agent.attempt = token_digest(_text(inner(line, "message").get("content")))
        result = inner(line, "toolUseResult")
        thread, kind = word(result.get("agentId")), word(result.get("agentType"))
        if thread and kind:
            self._kinds[thread] = kind

    def _answer(self, agent: Agent, line: Mapping[str, object]) -> None:
        message = inner(line, "message")
        kind = word(line.get("attributionAgent"))
        if agent.thread and kind:
            agent.kind = kind
        at, name = moment(line), word(message.get("id")) or word(line.get("uuid"))
        if name and inner(message, "usage") and message.get("model") != _NO_MODEL:
            home = self._homes.setdefault(name, agent)
            body = {"type": "message", "model": message.get("model"), "usage": message["usage"]}
            home.add(Turn(id=f"claude/{name}", at=at, usage=normalise(body, "anthropic")))
            if home is not agent:
                return  # a resumed session repeats what another file has
        content = message.get("content")
        for block in content if isinstance(content, list) else []:
            if isinstance(block, Mapping) and block.get("type") == "tool_use":
                _touch(agent, at, block)


def _touch(agent: Agent, at: str, call: Mapping[str, object]) -> None:
    given = inner(call, "input")
    path = given.get("file_path") or given.get("notebook_path") or given.get("path")
    if call.get("name") in _READING:
        agent.touch(at, "read", path)
    elif call.get("name") in _WRITING:
        agent.touch(at, "write", path)


def _thread(line: Mapping[str, object]) -> str | None:
    return word(line.get("agentId")) or ("sidechain" if line.get("isSidechain") else None)


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(part.get("text") or "") for part in parts if isinstance(part, Mapping))


def _description(path: Path) -> str | None:
    """Read what the program noted beside a subagent's transcript: its kind."""
    meta = path.with_suffix(".meta.json")
    if not meta.is_file():
        return None
    try:
        value = json.loads(meta.read_bytes())
    except (ValueError, RecursionError, OSError):
        return None
    return word(inner({"meta": value}, "meta").get("agentType"))
