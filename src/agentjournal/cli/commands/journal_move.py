"""`agentjournal journal export` and `import`: an owner's memory as a snapshot."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agentjournal.cli.commands.journal import read_file
from agentjournal.cli.session import with_reading_session, with_session
from agentjournal.journal.export import export_snapshot
from agentjournal.journal.journal import Journal
from agentjournal.lanes.event import Signature
from agentjournal.lanes.transfer import export_snapshot as export_kept
from agentjournal.lanes.transfer import import_snapshot

if TYPE_CHECKING:
    from agentjournal.cli.session import Session

__all__ = ["export", "import_"]


@click.command(
    epilog="\b\nExample:\n  agentjournal journal export agent/shop/planner > snapshot.json"
)
@click.argument("source", metavar="OWNER|FILE")
@with_reading_session
def export(session: Session, source: str) -> None:
    """Write an owner's journal to standard output as a snapshot of at most 256 KiB.

    A snapshot FILE is checked and written again in the form that every reader knows.
    """
    if Path(source).is_file():
        text = export_snapshot(Journal.from_json(read_file(source)))
    else:
        text = export_kept(session.services.log, source)
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


@click.command(
    "import", epilog="\b\nExample:\n  agentjournal journal import snapshot.json agent/shop/planner"
)
@click.argument("file", metavar="FILE")
@click.argument("owner", metavar="OWNER")
@with_session
def import_(session: Session, file: str, owner: str) -> None:
    """Begin an owner's journal with a snapshot; the owner must have none.

    It renders the same bytes, unless a line would forge a marker: that one is indented and counted.
    """
    world, actor = session.services.world, session.services.settings.actor
    by = Signature(id=world.new_id(), actor=actor, at=world.now())
    done = import_snapshot(session.services.log, owner, read_file(file).rstrip("\n"), by)
    told = f"{owner}: {done.entries} entries in {done.turns} turns."
    if done.neutralised:
        told += f" Forged markers made harmless: {done.neutralised}."
    session.output.result(told, asdict(done))
