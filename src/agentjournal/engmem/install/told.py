"""What an installation and a removal say they did."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from agentjournal.engmem.install.installing import BESIDE
from agentjournal.engmem.install.target import PROGRAMS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agentjournal.engmem.install.entry import ServerCommand
    from agentjournal.engmem.install.installing import Installation
    from agentjournal.engmem.install.target import Agent
    from agentjournal.engmem.install.uninstalling import Removal

__all__ = ["told_installation", "told_removal"]


def told_installation(
    agent: Agent, command: ServerCommand, done: Installation, notes: Sequence[str]
) -> str:
    """Say what was written, what stands in the way, and what follows from it."""
    word = "install incomplete" if done.conflicts else "installed"
    had = " (trigger rule already present \u2014 not added)" if done.had_rule else ""
    lines = [f"engmem {word}: store={command.store}, agent={agent}{had}"]
    lines += [f"wrote {change.path}" for change in done.changes]
    lines += [_conflict(path) for path in done.conflicts]
    if agent == "chatgpt":
        lines += _tunnel(command)
    else:
        reaches = f"what {PROGRAMS[agent]} searches and reads is sent to the model it uses"
        lines.append(f"note: {reaches}: documents of this store included")
    return "\n".join([*lines, *(f"note: {note}" for note in notes)])


def told_removal(agent: Agent, store: Path, done: Removal, others: Sequence[Agent]) -> str:
    """Say what was removed, what stays, and what could not be done."""
    word = "uninstall incomplete" if done.failures else "uninstalled"
    counts = (
        [f"{done.templates} template file(s) removed"] if done.templates or not done.entries else []
    )
    counts += (
        [f"{done.entries} config entry(ies) removed"]
        if agent in {"claude-desktop", "codex"}
        else []
    )
    counts += [f"{done.hooks} hook(s) removed"] if done.hooks else []
    counts += [f"{done.rule_lines} trigger rule line(s) removed", f"agent={agent}"]
    lines = [f"engmem {word}: {', '.join(counts)}"]
    lines += [f"removed {path}" for path in done.removed]
    lines += [f"took our own entry out of {path}" for path in done.cleaned]
    lines += [f"note: {path} was changed by hand, so it stays" for path in done.kept]
    lines += [f"failed: {failure}" for failure in done.failures]
    if done.is_empty and others:
        names = ", ".join(others)
        lines.append(
            f"note: no {agent} files were found, but files for {names} are present"
            f" \u2014 pass --agent {others[0]}"
        )
    lines.append(
        f"store left untouched: {store}  (your documents \u2014 remove it yourself if you want)"
    )
    return "\n".join(lines)


def _conflict(path: Path) -> str:
    return (
        f"conflict: {path} was edited by hand and was left as it is; this version's text stands beside it in "
        f"{path.name}{BESIDE}. Take over what you want to keep, then move the new file over the old one."
    )


def _tunnel(command: ServerCommand) -> list[str]:
    started = shlex.join([command.python, *command.args])
    return [
        "ChatGPT starts no program here: it reaches `engmem mcp` through a tunnel that you run.",
        "  1. Make a tunnel in your OpenAI organisation's settings (Tunnels) and export its runtime key",
        "     as CONTROL_PLANE_API_KEY.",
        (
            "  2. tunnel-client init --sample sample_mcp_stdio_local --profile engmem"
            f" --tunnel-id <tunnel-id> --mcp-command {shlex.quote(started)}"
        ),
        "     tunnel-client run --profile engmem",
        "  3. In ChatGPT's developer mode create an app and choose the tunnel as its connection.",
        "bridge: only that tunnel is supported; whether your account may use it was not checked",
        (
            "public bridge: anybody who learns its address reads your documents, titles and search results;"
            " --read-only refuses writes and keeps nothing private"
        ),
    ]
