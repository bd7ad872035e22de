"""Where each agent program keeps what engmem gives it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from agentjournal.engmem.ritual.template import TEMPLATES
from agentjournal.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["AGENTS", "PROGRAMS", "SERVED", "Agent", "Home", "Target", "read_agent", "target"]

Agent = Literal["claude", "copilot-ide", "copilot-cli", "claude-desktop", "codex", "chatgpt"]
AGENTS: tuple[Agent, ...] = get_args(Agent)
PROGRAMS: dict[Agent, str] = {
    "claude": "Claude Code",
    "copilot-ide": "Copilot",
    "copilot-cli": "Copilot CLI",
    "claude-desktop": "Claude Desktop",
    "codex": "Codex",
    "chatgpt": "ChatGPT",
}
SERVED: frozenset[Agent] = frozenset({"claude-desktop", "codex", "chatgpt"})  # by our server
_ONE_PLACE = {
    "claude-desktop": "its settings stand in your home folder",
    "copilot-cli": "its skills stand in your home folder",
    "codex": "its skills and settings stand in your home folder",
    "chatgpt": "it reads no file here",
}


@dataclass(frozen=True)
class Home:
    """Where this user's files stand, and the folder that the command was called in."""

    home: Path
    cwd: Path
    environment: Mapping[str, str]
    platform: str = "linux"


@dataclass(frozen=True, kw_only=True)
class Target:
    """The files of one agent; templates by their source name."""

    agent: Agent
    templates: Mapping[str, Path]
    rule: Path | None = None
    hook: Path | None = None
    servers: Path | None = None


def read_agent(name: str) -> Agent:
    """Read an agent's name.

    Raises:
        InputError: there is no such agent.
    """
    for agent in AGENTS:
        if name == agent:
            return agent
    raise InputError(f"unknown agent {name!r}.", next=f"Give one of {', '.join(AGENTS)}.")


def target(agent: Agent, place: Home, *, is_local: bool = False, with_hook: bool = False) -> Target:
    """Say which files of an agent engmem writes.

    Raises:
        InputError: the choice does not fit the agent, or the current folder is no repository's root.
    """
    _check(agent, place.cwd, is_local=is_local, with_hook=with_hook)
    match agent:
        case "claude":
            root = place.cwd if is_local else place.home
            settings = "settings.local.json" if is_local else "settings.json"
            rule = root / "CLAUDE.md" if is_local else root / ".claude" / "CLAUDE.md"
            commands = _files(root / ".claude" / "commands", ".md")
            return Target(
                agent=agent, templates=commands, rule=rule, hook=root / ".claude" / settings
            )
        case "copilot-ide":
            github = place.cwd / ".github"
            prompts = _files(github / "prompts", ".prompt.md")
            return Target(agent=agent, templates=prompts, rule=github / "copilot-instructions.md")
        case "copilot-cli":
            return Target(agent=agent, templates=_skills(place.home / ".copilot"))
        case "claude-desktop":
            return Target(agent=agent, templates={}, servers=desktop_settings(place))
        case "codex":
            codex = codex_home(place)
            skills = _skills(place.home / ".agents")
            return Target(
                agent=agent,
                templates=skills,
                rule=codex / "AGENTS.md",
                servers=codex / "config.toml",
            )
        case "chatgpt":
            return Target(agent=agent, templates={})


def codex_home(place: Home) -> Path:
    """Give Codex's folder: CODEX_HOME, else the one in the user's home."""
    chosen = place.environment.get("CODEX_HOME", "")
    return place.cwd / chosen if chosen.strip() else place.home / ".codex"


def desktop_settings(place: Home) -> Path:
    """Give Claude Desktop's settings file; on Linux that of its builds there, where one has run."""
    name = "claude_desktop_config.json"
    if place.platform == "win32" and place.environment.get("APPDATA"):
        return Path(place.environment["APPDATA"]) / "Claude" / name
    if place.platform == "linux" and (place.home / ".config" / "Claude").is_dir():
        return place.home / ".config" / "Claude" / name
    return place.home / "Library" / "Application Support" / "Claude" / name


def _files(folder: Path, ending: str) -> dict[str, Path]:
    return {source: folder / f"{name}{ending}" for source, name in TEMPLATES.items()}


def _skills(folder: Path) -> dict[str, Path]:
    names = {source: name.replace(".", "-") for source, name in TEMPLATES.items()}
    return {source: folder / "skills" / name / "SKILL.md" for source, name in names.items()}


def _check(agent: Agent, cwd: Path, *, is_local: bool, with_hook: bool) -> None:
    if is_local and agent in _ONE_PLACE:
        message = (
            f"--local has no effect with --agent {agent}: {_ONE_PLACE[agent]}, never in a project."
        )
        raise InputError(message, next="Leave out --local.")
    if with_hook and agent != "claude":
        raise InputError(f"--hooks is for --agent claude, not {agent}.", next="Leave out --hooks.")
    if (is_local or agent == "copilot-ide") and not (cwd / ".git").is_dir():
        message = f"{cwd} is not a git repository root: there is no `.git` directory here."
        raise InputError(message, next="Change to the top folder of the repository you mean.")
