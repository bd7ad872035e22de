"""`engmem supersede`: an earlier decision no longer holds, and the document says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentjournal.cli.engmem_commands.session import with_store
from agentjournal.engmem.writing.superseding import mark_superseded

if TYPE_CHECKING:
    from agentjournal.cli.engmem_commands.session import StoreSession

__all__ = ["supersede"]


@click.command(
    epilog="\b\nExample:\n  engmem supersede 2100-old-router 2201-parcel-router"
    " --expected-version e3e8151d45b7af02"
)
@click.argument("id_", metavar="ID")
@click.argument("successor", metavar="SUCCESSOR")
@click.option(
    "--expected-version", required=True, metavar="V", help="The version in its `cite as` line."
)
@with_store
def supersede(session: StoreSession, id_: str, successor: str, expected_version: str) -> None:
    """Mark a document as overturned by another: searches then lead from the one to the other.

    Two lines of its header change; refused where it was changed since that version.
    """
    told = mark_superseded(session.root, id_, successor, expected_version.strip())
    session.output.result(told, {"id": id_, "superseded_by": successor, "told": told})
