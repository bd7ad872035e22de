"""`engmem roles`: what sections can be asked for by their role, and how many documents have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentjournal.cli.engmem_commands.session import with_store
from agentjournal.engmem.answer.state import scoreboard
from agentjournal.engmem.reading.roles import count_roles, roles_text

if TYPE_CHECKING:
    from agentjournal.cli.engmem_commands.session import StoreSession

__all__ = ["roles"]


@click.command(epilog="\b\nExample:\n  engmem roles")
@with_store
def roles(session: StoreSession) -> None:
    """List the nineteen roles of sections, and how many active documents have each."""
    index = session.index
    counts = count_roles(index)
    state = scoreboard(index.counts, session.world.clock.now().date())
    session.output.result(roles_text(counts, state.text), {"roles": counts})
