"""`engmem uninstall`: take out of an agent program's files what `install` put in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentjournal.cli.engmem_commands.install import home_of
from agentjournal.cli.engmem_commands.session import with_store
from agentjournal.engmem.install.target import AGENTS, read_agent, target
from agentjournal.engmem.install.told import told_removal
from agentjournal.engmem.install.uninstalling import is_present
from agentjournal.engmem.install.uninstalling import uninstall as take_out
from agentjournal.errors import InputError

if TYPE_CHECKING:
    from agentjournal.cli.engmem_commands.session import StoreSession
    from agentjournal.engmem.install.target import Agent, Home

__all__ = ["uninstall"]


@click.command(epilog="\b\nExample:\n  engmem uninstall --agent codex")
@click.option("--agent", default="claude", show_default=True, metavar="|".join(AGENTS))
@click.option("--local", "is_local", is_flag=True, help="From this repository, not your home.")
@with_store
def uninstall(session: StoreSession, agent: str, *, is_local: bool) -> int:
    """Remove engmem's own entries from an agent program's files; the documents stay."""
    known, place = read_agent(agent), home_of(session)
    done = take_out(target(known, place, is_local=is_local))
    others = [each for each in AGENTS if each != known and _is_there(each, place)]
    data = {
        "agent": known,
        "removed": [str(path) for path in done.removed],
        "cleaned": [str(path) for path in done.cleaned],
        "kept": [str(path) for path in done.kept],
        "failures": list(done.failures),
    }
    session.output.result(told_removal(known, session.root, done, others), data)
    return 2 if done.failures else 0


def _is_there(agent: Agent, place: Home) -> bool:
    try:
        return is_present(target(agent, place))
    except InputError:
        return False
