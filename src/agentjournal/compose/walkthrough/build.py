"""Builds a demonstration in a folder of its own; what is there already stays."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from agentjournal.compose.walkthrough.demo import MARKER, Demo
from agentjournal.engmem.install.change import applied
from agentjournal.engmem.install.entry import ServerCommand
from agentjournal.engmem.install.installing import plan_installation
from agentjournal.engmem.install.new_store import ensure_store
from agentjournal.engmem.install.target import Target, target
from agentjournal.engmem.ritual.template import TEMPLATES, template
from agentjournal.errors import InputError
from agentjournal.system.files import write_atomically
from agentjournal.system.git import run_git

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.engmem.install.target import Home

__all__ = ["build", "homes"]


def build(demo: Demo, place: Home, python: str, version: str) -> list[str]:
    """Build what is missing, and say what was made.

    Raises:
        InputError: the folder holds something else.
    """
    _refuse_foreign(demo)
    demo.folder.mkdir(parents=True, exist_ok=True)
    write_atomically(demo.folder / MARKER, f"{demo.name}\n".encode(), mode=0o644)
    ensure_store(demo.store)
    lines = [f"demo store: {demo.store} \u2014 your own store and settings are not touched"]
    for workspace, files in demo.workspaces.items():
        lines.append(f"workspace: {workspace} ({_workspace(workspace, files)})")
    _let_codex_write(demo)
    command = ServerCommand(python, demo.store)
    for agent, home in homes(demo, place).items():
        chosen = _chosen(
            target("claude" if agent == "claude" else "codex", home, is_local=agent == "claude")
        )
        texts = {source: template(source) for source in TEMPLATES}
        done = plan_installation(chosen, texts, command, version=version, with_hook=False)
        for change in done.changes:
            applied(change)
            lines.append(f"wrote {change.path}")
    if demo.name == "handoff":
        lines += _claude_settings(demo, command)
    return lines


def homes(demo: Demo, place: Home) -> dict[str, Home]:
    """Say where each program's files of the demonstration stand."""
    environment = {
        **place.environment,
        "CODEX_HOME": str(demo.codex_home),
        "ENGMEM_HOME": str(demo.store),
    }
    codex = type(place)(place.home, demo.parcels, environment, place.platform)
    claude = type(place)(place.home, demo.labels, environment, place.platform)
    return {"codex": codex} | ({"claude": claude} if demo.name == "handoff" else {})


def _refuse_foreign(demo: Demo) -> None:
    if not demo.folder.exists():
        return
    held = (
        sorted(path.name for path in demo.folder.iterdir()) if demo.folder.is_dir() else ["a file"]
    )
    marker = demo.folder / MARKER
    is_ours = marker.is_file() and marker.read_bytes() == f"{demo.name}\n".encode()
    if held and not is_ours:
        raise InputError(
            f"{demo.folder} is not empty and was not built by `engmem walkthrough {demo.name}`.",
            next="Choose a new folder.",
        )


def _let_codex_write(demo: Demo) -> None:
    """Give Codex's sandbox the demonstration's store, before anything else stands in its settings."""
    config = demo.codex_home / "config.toml"
    if config.exists():
        return
    config.parent.mkdir(exist_ok=True)
    roots = json.dumps([str(demo.store)], ensure_ascii=False)
    text = f"[sandbox_workspace_write]\nwritable_roots = {roots}\n"
    write_atomically(config, text.encode())


def _chosen(found: Target) -> Target:
    """Leave Codex's skills to the user's own installation: Codex reads them in the home folder only."""
    if found.agent == "claude":
        return found
    return Target(agent=found.agent, templates={}, rule=found.rule, servers=found.servers)


def _workspace(workspace: Path, files: dict[str, str]) -> str:
    if (workspace / ".git").exists():
        return "kept as it is"
    for name, text in files.items():
        path = workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_text(text, encoding="utf-8")
    run_git(["init", "--quiet"], workspace)
    return "made"


def _claude_settings(demo: Demo, command: ServerCommand) -> list[str]:
    settings = {
        demo.labels / ".mcp.json": {"mcpServers": {"engmem": command.entry}},
        demo.labels / ".claude" / "settings.json": {"env": {"ENGMEM_HOME": str(demo.store)}},
    }
    for path, value in settings.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, (json.dumps(value, indent=2) + "\n").encode(), mode=0o644)
    return [f"wrote {path}" for path in settings]
