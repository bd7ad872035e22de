"""Decides what an uninstallation takes out: exactly what an installation put in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agentjournal.engmem.install.change import Change, applied, changed, contents
from agentjournal.engmem.install.entry import is_ours
from agentjournal.engmem.install.installing import BESIDE
from agentjournal.engmem.install.json_entry import entry_removed, hook_removed
from agentjournal.engmem.install.template import is_unedited
from agentjournal.engmem.install.toml_block import block_removed
from agentjournal.engmem.install.trigger import rule_removed
from agentjournal.errors import AgentJournalError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agentjournal.engmem.install.target import Target

__all__ = ["Removal", "is_present", "uninstall"]


@dataclass(frozen=True, kw_only=True)
class Removal:
    """How much was removed, which edited templates stay, and what could not be done.

    `removed` are the files that are gone, `cleaned` those that hold other things and stay.
    """

    templates: int = 0
    entries: int = 0
    rule_lines: int = 0
    hooks: int = 0
    kept: tuple[Path, ...] = ()
    failures: tuple[str, ...] = ()
    removed: tuple[Path, ...] = ()
    cleaned: tuple[Path, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Say whether nothing of ours was there."""
        return not (self.templates or self.entries or self.rule_lines or self.hooks)


def uninstall(target: Target) -> Removal:
    """Take out what is ours, file by file: one that fails is told and stops no other."""
    done = Removal()
    for path in target.templates.values():
        done = _tried(done, path, _template)
    if target.rule is not None:
        done = _tried(done, target.rule, _rule)
    if target.servers is not None:
        done = _tried(done, target.servers, _block if target.agent == "codex" else _entry)
    if target.hook is not None:
        done = _tried(done, target.hook, _hook)
    return done


def is_present(target: Target) -> bool:
    """Say whether a template of ours stands in an agent's files."""
    try:
        found = [contents(path) for path in target.templates.values()]
    except AgentJournalError:
        return False
    return any(data is not None and is_unedited(data) for data in found)


def _tried(done: Removal, path: Path, step: Callable[[Removal, Path], Removal]) -> Removal:
    try:
        return step(done, path)
    except AgentJournalError as error:
        told = str(error) if str(path) in str(error) else f"{path}: {error}"
        return replace(done, failures=(*done.failures, told))


def _template(done: Removal, path: Path) -> Removal:
    for each in (path, path.with_name(path.name + BESIDE)):
        data = contents(each)
        if data is not None and is_unedited(data):
            applied(Change(path=each, before=data, after=None))
            done = replace(done, templates=done.templates + 1, removed=(*done.removed, each))
        elif data is not None:
            done = replace(done, kept=(*done.kept, each))
    if path.name == "SKILL.md" and path.parent.is_dir() and not any(path.parent.iterdir()):
        path.parent.rmdir()
    return done


def _rule(done: Removal, path: Path) -> Removal:
    change = changed(path, _if_named(lambda old: rule_removed(old)[0]))
    lines = rule_removed(change.before or b"")[1] if change.is_needed else 0
    return replace(_applied(done, change), rule_lines=done.rule_lines + lines)


def _entry(done: Removal, path: Path) -> Removal:
    change = changed(path, _if_named(lambda old: entry_removed(old, is_ours)))
    return replace(_applied(done, change), entries=done.entries + int(change.is_needed))


def _block(done: Removal, path: Path) -> Removal:
    change = changed(path, _if_named(block_removed))
    return replace(_applied(done, change), entries=done.entries + int(change.is_needed))


def _hook(done: Removal, path: Path) -> Removal:
    change = changed(path, _if_named(hook_removed))
    return replace(_applied(done, change), hooks=done.hooks + int(change.is_needed))


def _if_named(edit: Callable[[bytes], bytes | None]) -> Callable[[bytes | None], bytes | None]:
    """Leave a file alone that never names us: whether it parses is then not our concern."""
    return lambda old: edit(old) if old is not None and b"engmem" in old else old


def _applied(done: Removal, change: Change) -> Removal:
    if not change.is_needed:
        return done
    applied(change)
    if change.after is None:
        return replace(done, removed=(*done.removed, change.path))
    return replace(done, cleaned=(*done.cleaned, change.path))
