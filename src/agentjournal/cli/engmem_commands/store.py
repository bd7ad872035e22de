"""`engmem store`: which folder is used and why, the saved choice of it, and commits of saves."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from agentjournal.cli.engmem_commands.session import on_both_streams, with_store
from agentjournal.cli.output import Output
from agentjournal.compose.services import Services
from agentjournal.compose.world import this_world
from agentjournal.config.engmem import saved_engmem_store, store_file
from agentjournal.config.source import absolute
from agentjournal.engmem.install.target import Home
from agentjournal.engmem.install.wiring import wiring_lines
from agentjournal.engmem.writing.choice import save_choice
from agentjournal.engmem.writing.commit import commits_saves, set_commits
from agentjournal.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agentjournal.cli.engmem_commands.session import StoreSession
    from agentjournal.compose.world import World

__all__ = ["store"]

_GIVEN = ("--store", "ENGMEM_HOME")


@click.group(epilog="\b\nExample:\n  engmem store show")
def store() -> None:
    """Show which store is used and why, or save the one to use."""


@store.command(epilog="\b\nExample:\n  engmem store show")
@click.option("--store", "given", metavar="PATH", help="The store that a command would be given.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(given: str | None, *, as_json: bool) -> None:
    """Show the store, what chose it, and which store the agent programs' servers are started with."""
    with on_both_streams(is_json=as_json):
        world = this_world()
        settings = Services.of(world, flags={"store": given}).settings
        origin, root = settings.origins["engmem_store"], settings.engmem_store
        file = store_file(world.environment, world.home)
        source = {
            **{name: name for name in _GIVEN},
            str(file): f"saved choice ({file})",
        }.get(origin, f"default (no saved choice in {file})")
        wiring = wiring_lines(_home(world), root)
        notes = [*_overridden(world, origin, root), *_missing(root, "warning: "), *_commits(root)]
        text = "\n".join([f"store: {root}", f"source: {source}", *notes, *wiring])
        data = {"store": str(root), "source": source, "notes": notes, "wiring": wiring}
        Output(as_json).result(text, data)


@store.command("set", epilog="\b\nExample:\n  engmem store set ~/engmem")
@click.argument("path")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def set_store(path: str, *, as_json: bool) -> None:
    """Save the store that is used where neither `--store` nor ENGMEM_HOME names one."""
    with on_both_streams(is_json=as_json):
        world = this_world()
        if not path.strip():
            raise ConfigurationError("PATH is blank — name the folder of the store")
        if any(each in path for each in "\n\r\0"):
            raise ConfigurationError(f"{path!r} holds a line break, and a setting is one line")
        chosen = absolute(path, world.cwd, world.home)
        file = store_file(world.environment, world.home)
        save_choice(file, str(chosen))
        notes = [*_missing(chosen, "note: "), *_hidden(world)]
        wiring = [line for line in wiring_lines(_home(world), chosen) if line.startswith("mis")]
        text = "\n".join([f"engmem store: saved {chosen} in {file}", *notes, *wiring])
        Output(as_json).result(text, {"store": str(chosen), "file": str(file), "notes": notes})


@store.command(epilog="\b\nExample:\n  engmem store commits on")
@click.argument("choice", metavar="on|off", type=click.Choice(["on", "off"]))
@with_store
def commits(session: StoreSession, choice: str) -> None:
    """Make each save a commit of the store's own repository, or stop that."""
    set_commits(session.root, wanted=choice == "on")
    told = f"engmem store: saves in {session.root} are {'' if choice == 'on' else 'not '}committed"
    session.output.result(told, {"store": str(session.root), "commits": choice == "on"})


def _overridden(world: World, origin: str, root: Path) -> Iterator[str]:
    """Say that a saved choice stands back for this call."""
    if origin not in _GIVEN:
        return
    file = store_file(world.environment, world.home)
    saved = saved_engmem_store(file, world.home)
    if saved is not None and saved != root:
        until = "for this command only" if origin == "--store" else "while it is set"
        yield f"note: {origin} overrides the saved choice {saved} ({file}) {until}"


def _missing(root: Path, word: str) -> Iterator[str]:
    if not (root / "sessions").is_dir():
        yield f"{word}{root}/sessions does not exist — run `engmem install` to create it"


def _commits(root: Path) -> Iterator[str]:
    if root.is_dir() and commits_saves(root):
        yield "commits: each save is a commit of this store's repository"


def _hidden(world: World) -> Iterator[str]:
    named = world.environment.get("ENGMEM_HOME", "")
    if named.strip():
        yield f"note: ENGMEM_HOME={named} is set here and comes before the saved choice"


def _home(world: World) -> Home:
    return Home(world.home, world.cwd, world.environment, sys.platform)
