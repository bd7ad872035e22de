"""`engmem telemetry`: how often searches found something, and what they took."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentjournal.cli.engmem_commands.session import with_store
from agentjournal.engmem.ledger.navigation import count_navigation_misses
from agentjournal.engmem.ledger.telemetry import read_telemetry

if TYPE_CHECKING:
    from agentjournal.cli.engmem_commands.session import StoreSession

__all__ = ["telemetry"]


@click.command(epilog="\b\nExample:\n  engmem telemetry --json")
@with_store
def telemetry(session: StoreSession) -> None:
    """Sum up the searches of a store, by channel and overall."""
    misses = count_navigation_misses(session.root, session.index.headers())
    found = read_telemetry(session.root, misses)
    session.output.result(found.text(), found.data())
