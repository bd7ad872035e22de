"""Which store the MCP entries of installed agent programs name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from agentjournal.engmem.install.change import contents
from agentjournal.engmem.install.entry import store_of
from agentjournal.engmem.install.json_entry import object_of
from agentjournal.engmem.install.target import codex_home, desktop_settings
from agentjournal.engmem.install.toml_block import codex_entry, settings_of
from agentjournal.errors import AgentJournalError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.engmem.install.target import Home

__all__ = ["Wired", "sandbox_note", "wired", "wiring_lines"]

Client = Literal["claude-desktop", "codex"]
CLIENTS: tuple[Client, ...] = ("claude-desktop", "codex")


@dataclass(frozen=True, kw_only=True)
class Wired:
    """One client's settings file and its engmem entry, or why it cannot be read."""

    agent: Client
    path: Path
    entry: Mapping[str, object] | None = None
    fault: str = ""

    @property
    def store(self) -> str | None:
        """Give the store that the entry names; None: chosen when the server starts."""
        return store_of(self.entry)


def wired(agent: Client, place: Home) -> Wired:
    """Read what a client's settings say of engmem."""
    path = codex_home(place) / "config.toml" if agent == "codex" else desktop_settings(place)
    try:
        data = contents(path)
        entry = None if data is None else _entry(agent, data)
    except AgentJournalError as error:
        return Wired(agent=agent, path=path, fault=error.message)
    return Wired(agent=agent, path=path, entry=entry)


def wiring_lines(place: Home, store: Path) -> list[str]:
    """Say for each installed entry whether it starts the server with this store."""
    lines = [line for agent in CLIENTS if (line := _line(wired(agent, place), store))]
    return lines or ["mcp wiring: none found (claude-desktop, codex)"]


def sandbox_note(place: Home, store: Path) -> str | None:
    """Say where Codex's sandbox keeps shell commands from writing into the store."""
    found = wired("codex", place)
    try:
        settings = settings_of(contents(found.path) or b"")
    except AgentJournalError:
        return None
    sandbox = settings.get("sandbox_workspace_write")
    roots = sandbox.get("writable_roots") if isinstance(sandbox, dict) else None
    inside = roots if isinstance(roots, list) else []
    if any(isinstance(root, str) and store.is_relative_to(root) for root in inside):
        return None
    return (
        f"in Codex's workspace-write sandbox shell commands cannot write to {store}: "
        f"add it to writable_roots of [sandbox_workspace_write] in {found.path}"
    )


def _entry(agent: Client, data: bytes) -> Mapping[str, object] | None:
    if agent == "codex":
        return codex_entry(settings_of(data))
    servers = object_of(data).get("mcpServers")
    entry = servers.get("engmem") if isinstance(servers, dict) else None
    return entry if isinstance(entry, dict) else None


def _line(found: Wired, store: Path) -> str | None:
    where = f"mcp wiring: {found.agent}: {found.path}"
    if found.fault:
        return f"{where} cannot be read: {found.fault}"
    if found.entry is None:
        return None
    named = found.store
    if named is None:
        return f"{where} launches the MCP server without --store \u2014 it resolves the store at launch"
    told = f"{where} launches the MCP server with --store {named}"
    again = f"run `engmem install --agent {found.agent} --store {store}` to rewire it"
    if not Path(named).is_absolute():
        return (
            f"{told} \u2014 a relative path, which depends on where the client starts it; {again}"
        )
    if Path(named) == store:
        return f"{told} \u2014 matches"
    return f"mismatch: {told}; {again}"
