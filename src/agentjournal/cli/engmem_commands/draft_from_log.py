"""`engmem draft from-log`: a draft of all sections out of what a project's log holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentjournal.cli.engmem_commands.session import with_store
from agentjournal.cli.options import SLUG
from agentjournal.compose.drafting import draft_project
from agentjournal.compose.services import Services
from agentjournal.config.engmem import mode_file, saved_engmem_mode
from agentjournal.engmem.writing.creating import create_draft

if TYPE_CHECKING:
    from agentjournal.cli.engmem_commands.session import StoreSession

__all__ = ["from_log"]


@click.command(
    "from-log",
    epilog="\b\nExamples:\n  engmem draft from-log shop\n  engmem draft from-log shop --print",
)
@SLUG
@click.option("--database", metavar="PATH|URL", help="Read this log instead of the configured one.")
@click.option("--print", "is_printed", is_flag=True, help="Print the document, write nothing.")
@with_store
def from_log(session: StoreSession, slug: str, database: str | None, *, is_printed: bool) -> None:
    """Draft the document of a project: decisions, what was ruled out, lessons, what was reused.

    It stays a draft, found by no search, until somebody confirms it with `engmem draft complete`.
    """
    world = session.world
    mode = saved_engmem_mode(mode_file(world.environment, world.home)) or "daily"
    flags = {"store": str(session.root), "database": database}
    with Services.of(world, flags=flags, is_reading=True) as services:
        made = draft_project(services, slug, mode, is_kept=not is_printed)
    data = {"id": made.id, "content": made.text}
    if is_printed:
        session.output.result(made.text.rstrip("\n"), data)
        return
    told = create_draft(session.root, made.id, made.text.encode(), mode=mode)
    session.output.result(told, data | {"told": told})
