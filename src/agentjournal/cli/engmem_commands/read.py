"""`engmem read`: a document, or the part of it that is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentjournal.cli.engmem_commands.session import with_store
from agentjournal.compose.stamped import stamp_of
from agentjournal.engmem.reading.part import read_role
from agentjournal.engmem.reading.read import ReadRequest
from agentjournal.engmem.reading.read import read as read_document

if TYPE_CHECKING:
    from agentjournal.cli.engmem_commands.session import StoreSession

__all__ = ["read"]


@click.command(
    epilog="\b\nExamples:\n  engmem read 2201-parcel-router --section §3-decision-log\n"
    "  engmem read 2201-parcel-router --role lessons --session 20261120-retry\n"
    "  engmem read 2201-parcel-router@e3e8151d45b7af02"
)
@click.argument("reference", metavar="ID[@VERSION]")
@click.option("--role", metavar="ROLE", help="Only the sections of this role (engmem roles).")
@click.option("--section", metavar="ANCHOR", help="Only the section that a search named: §3-...")
@click.option("--session", "draft", metavar="ID", help="The draft that this is read for.")
@with_store
def read(
    session: StoreSession, reference: str, role: str | None, section: str | None, draft: str | None
) -> None:
    """Print a document, its sections of one role, or one section; and how it is cited."""
    request = ReadRequest(
        reference=reference,
        role=None if role is None else read_role(role),
        section=section,
        session=draft,
    )
    output, stamp = session.output, stamp_of(session.world)
    found = read_document(session.root, session.index, request, stamp, output.shown)
    output.result(found.text, found.data())
