"""`engmem doctor`: does an agent program reach the memory, and if not, why?"""

from __future__ import annotations

import sys
from importlib.metadata import version
from typing import TYPE_CHECKING

import click

from agentjournal.cli.engmem_commands.install import home_of
from agentjournal.cli.engmem_commands.session import with_store
from agentjournal.compose.engmem_doctor.examine import examine, told
from agentjournal.compose.engmem_doctor.patient import Patient
from agentjournal.compose.services import Services
from agentjournal.engmem.install.target import AGENTS, read_agent, target
from agentjournal.engmem.ritual.template import TEMPLATES, template

if TYPE_CHECKING:
    from agentjournal.cli.engmem_commands.session import StoreSession
    from agentjournal.engmem.install.target import Agent, Home

__all__ = ["doctor", "patient_of"]


@click.command(epilog="\b\nExample:\n  engmem doctor --agent codex")
@click.option("--agent", default="claude", show_default=True, metavar="|".join(AGENTS))
@click.option("--local", "is_local", is_flag=True, help="What was installed in this repository.")
@with_store
def doctor(session: StoreSession, agent: str, *, is_local: bool) -> int:
    """Check the store, an agent program's files and its server; exit 1 where something fails.

    Where the program starts our server, the server is started as it would be, and answers a call.
    Nothing is changed and nothing recorded.
    """
    known = read_agent(agent)
    findings = examine(patient_of(session, known, home_of(session), is_local=is_local))
    session.output.result(told(known, findings), [vars(each) for each in findings])
    return 1 if any(each.level == "error" for each in findings) else 0


def patient_of(session: StoreSession, agent: Agent, place: Home, *, is_local: bool) -> Patient:
    """Gather what an examination is given."""
    settings = Services.of(session.world, flags={}).settings
    is_chosen = settings.engmem_store == session.root
    return Patient(
        target=target(agent, place, is_local=is_local),
        place=place,
        store=session.root,
        origin=settings.origins["engmem_store"] if is_chosen else "--store",
        later=settings.engmem_store,
        python=sys.executable,
        version=version("agent-journal"),
        templates={source: template(source) for source in TEMPLATES},
    )
