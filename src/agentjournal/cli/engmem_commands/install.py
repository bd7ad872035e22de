"""`engmem install`: give an agent program the ritual, the rule to search, and the server."""

from __future__ import annotations

import sys
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from agentjournal.cli.engmem_commands.session import with_store
from agentjournal.compose.services import Services
from agentjournal.engmem.install.change import applied
from agentjournal.engmem.install.entry import ServerCommand
from agentjournal.engmem.install.installing import plan_installation
from agentjournal.engmem.install.new_store import ensure_store
from agentjournal.engmem.install.target import AGENTS, SERVED, Home, read_agent, target
from agentjournal.engmem.install.told import told_installation
from agentjournal.engmem.install.wiring import sandbox_note
from agentjournal.engmem.ritual.template import TEMPLATES, template

if TYPE_CHECKING:
    from agentjournal.cli.engmem_commands.session import StoreSession

__all__ = ["home_of", "install"]


@click.command(
    epilog="\b\nExamples:\n  engmem install                      for Claude Code\n"
    "  engmem install --agent codex --store ~/engmem\n"
    "  engmem install --local --hooks      in one repository only"
)
@click.option("--agent", default="claude", show_default=True, metavar="|".join(AGENTS))
@click.option("--local", "is_local", is_flag=True, help="Into this repository, not your home.")
@click.option(
    "--hooks", "with_hook", is_flag=True, help="Claude Code: name unsaved drafts at start."
)
@with_store
def install(session: StoreSession, agent: str, *, is_local: bool, with_hook: bool) -> int:
    """Write engmem's templates, rule and server entry for an agent program, and make the store.

    Exactly our own entries are written; `engmem uninstall` takes them out to the byte. A file that does
    not parse is left as it is.
    """
    known, place = read_agent(agent), home_of(session)
    chosen = target(known, place, is_local=is_local, with_hook=with_hook)
    command = ServerCommand(sys.executable, session.root)
    texts = {source: template(source) for source in TEMPLATES}
    done = plan_installation(
        chosen, texts, command, version=version("agent-journal"), with_hook=with_hook
    )
    ensure_store(session.root)
    for change in done.changes:
        applied(change)
    notes = [*_later(session), *([sandbox_note(place, session.root)] if known == "codex" else [])]
    if known in SERVED and find_spec("mcp") is None:
        notes.append(
            'the server needs an extra that is missing here: `pip install "agent-journal[mcp]"`'
        )
    told = told_installation(known, command, done, [note for note in notes if note])
    data = {
        "agent": known,
        "store": str(session.root),
        "written": [str(change.path) for change in done.changes],
        "conflicts": [str(path) for path in done.conflicts],
    }
    session.output.result(told, data)
    return 2 if done.conflicts else 0


def home_of(session: StoreSession) -> Home:
    """Say where this user's files stand."""
    world = session.world
    return Home(world.home, world.cwd, world.environment, sys.platform)


def _later(session: StoreSession) -> list[str]:
    """Warn where later commands will find another store."""
    later = Services.of(session.world, flags={}).settings.engmem_store
    if later == session.root:
        return []
    return [
        (
            f"--store holds for this command only: others find {later}; "
            f"`engmem store set {session.root}` makes this one theirs"
        )
    ]
