"""`agentjournal journal render`: a snapshot's memory, or a project's record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from agentjournal.cli.lazy import Entry, LazyGroup
from agentjournal.cli.options import complete_slug
from agentjournal.cli.session import with_reading_session
from agentjournal.errors import NotFoundError
from agentjournal.execution.names import project_slugs
from agentjournal.execution.record import record_lines
from agentjournal.journal.journal import Journal
from agentjournal.system.files import read_inside

if TYPE_CHECKING:
    from agentjournal.cli.session import Session

__all__ = ["journal", "render"]

SNAPSHOT_BYTES = 64 * 1024 * 1024

ENTRIES = {
    "render": Entry(
        "agentjournal.cli.commands.journal:render", "Render a snapshot file, or a project's record."
    )
}


@click.command(cls=LazyGroup, entries=ENTRIES)
def journal() -> None:
    """Render the memory of an owner or a project."""


@click.command(
    epilog="\b\nExamples:\n  agentjournal journal render snapshot.json\n  agentjournal journal render shop"
)
@click.argument("source", metavar="FILE|SLUG", shell_complete=complete_slug)
@with_reading_session
def render(session: Session, source: str) -> None:
    """Render a snapshot file as its owner's prompt has it, or a project's record as its briefs have it."""
    path = Path(source)
    if path.is_file():
        data = read_inside(path.resolve().parent, path.resolve().name, SNAPSHOT_BYTES)
        read = Journal.from_json(data.decode("utf-8", "replace"))
        text = read.render()
        session.output.result(text, {"owner": read.owner, "render": text})
        return
    log = session.services.log
    if source not in project_slugs(log):
        raise NotFoundError(
            f"{source!r} is neither a snapshot file nor a project.",
            next="Give a file, or a slug that `agentjournal state` knows.",
        )
    with log.database.snapshot() as reader:
        lines = record_lines(reader, source)
    session.output.result("\n".join(lines), {"project": source, "lines": lines})
