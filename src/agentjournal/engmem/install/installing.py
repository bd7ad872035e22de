"""Decides what an installation writes, before anything is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.engmem.install.change import Change, changed, contents
from agentjournal.engmem.install.entry import ServerCommand, is_ours
from agentjournal.engmem.install.json_entry import entry_added, hook_added
from agentjournal.engmem.install.template import (
    for_codex,
    for_copilot_cli,
    is_unedited,
    skill,
    stamped,
)
from agentjournal.engmem.install.toml_block import block_added
from agentjournal.engmem.install.trigger import has_rule, rule_added

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from agentjournal.engmem.install.target import Agent, Target

__all__ = ["BESIDE", "Installation", "plan_installation", "rendered"]

BESIDE = ".engmem-new"


@dataclass(frozen=True, kw_only=True)
class Installation:
    """The changes, the templates that a user edited, and whether a rule to search stood already."""

    changes: tuple[Change, ...]
    conflicts: tuple[Path, ...] = ()
    had_rule: bool = False


def plan_installation(
    target: Target,
    texts: Mapping[str, str],
    command: ServerCommand,
    *,
    version: str,
    with_hook: bool,
) -> Installation:
    """Decide every change of an installation.

    Raises:
        InputError: a file cannot be read, does not parse, or holds what is not ours to change.
    """
    changes: list[Change] = []
    conflicts: list[Path] = []
    for source, path in target.templates.items():
        text = rendered(target.agent, path, texts[source], source, version)
        change = _template(path, text.encode())
        changes.append(change)
        if change.path != path:
            conflicts.append(path)
    rule = None if target.rule is None else contents(target.rule)
    changes += _shared(target, command, with_hook=with_hook)
    return Installation(
        changes=tuple(each for each in changes if each.is_needed),
        conflicts=tuple(conflicts),
        had_rule=rule is not None and has_rule(rule),
    )


def rendered(agent: Agent, path: Path, text: str, source: str, version: str) -> str:
    """Give a template as this agent reads it."""
    if agent == "copilot-cli":
        text = skill(text, path.parent.name, for_copilot_cli)
    if agent == "codex":
        text = skill(text, path.parent.name, for_codex)
    return stamped(text, source, version)


def _template(path: Path, text: bytes) -> Change:
    """Renew a template that nobody edited; else put the new one beside it."""
    there = contents(path)
    if there is None or there == text or is_unedited(there):
        return Change(path=path, before=there, after=text)
    beside = path.with_name(path.name + BESIDE)
    waiting = contents(beside)
    keeps = waiting is not None and not is_unedited(waiting)
    return Change(path=beside, before=waiting, after=waiting if keeps else text)


def _shared(target: Target, command: ServerCommand, *, with_hook: bool) -> Iterator[Change]:
    """Decide the changes to files that hold other things too."""
    if target.rule is not None:
        yield changed(target.rule, rule_added)
    if target.servers is not None and target.agent == "codex":
        yield changed(
            target.servers, lambda old: block_added(old, command.python, command.args), mode=0o600
        )
    elif target.servers is not None:
        yield changed(
            target.servers, lambda old: entry_added(old, command.entry, is_ours), mode=0o600
        )
    if target.hook is not None and with_hook:
        yield changed(target.hook, hook_added)
