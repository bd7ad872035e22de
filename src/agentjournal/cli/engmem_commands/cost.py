"""`engmem cost`: what memory took of a session's context, and what its baseline call took."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentjournal.cli.engmem_commands.session import with_store
from agentjournal.compose.stamped import stamp_of
from agentjournal.engmem.ledger.baseline import record_baseline
from agentjournal.engmem.ledger.cost import read_cost
from agentjournal.engmem.ledger.cost_row import Baseline

if TYPE_CHECKING:
    from agentjournal.cli.engmem_commands.session import StoreSession

__all__ = ["cost"]


@click.group(epilog="\b\nExample:\n  engmem cost summary --session 20261120-retry")
def cost() -> None:
    """Sum up what a session was handed, and record what its client reported."""


@cost.command(
    "record-baseline",
    epilog="\b\nExample:\n  engmem cost record-baseline 20261120-retry --tokens 1840 --seconds 12",
)
@click.argument("draft", metavar="SESSION")
@click.option("--tokens", type=int, help="What the client reported for the call.")
@click.option("--seconds", type=float, help="How long it took, as the client reported.")
@click.option("--call-id", metavar="ID", help="The client's name of the call; a report replaces.")
@with_store
def baseline(
    session: StoreSession,
    draft: str,
    tokens: int | None,
    seconds: float | None,
    call_id: str | None,
) -> None:
    """Record what the one call without memory took."""
    given = Baseline(session=draft, tokens=tokens, seconds=seconds, call_id=call_id)
    told = record_baseline(session.root, session.index, given, stamp_of(session.world))
    session.output.result(told, {"recorded": told})


@cost.command(epilog="\b\nExample:\n  engmem cost summary --session 20261120-retry")
@click.option("--session", "draft", metavar="ID", required=True, help="The session's document.")
@with_store
def summary(session: StoreSession, draft: str) -> None:
    """Sum up what searches and reads handed to a session; no savings are claimed."""
    known = session.index.header(draft) is not None
    found = read_cost(session.root, draft, is_known=known)
    session.output.result(found.text(), found.data())
