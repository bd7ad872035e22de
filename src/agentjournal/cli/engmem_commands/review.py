"""`engmem review`: did a past document change a decision, and what did recall cost?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from agentjournal.cli.engmem_commands.session import with_store
from agentjournal.engmem.review.page import page
from agentjournal.engmem.review.review import review as measure
from agentjournal.engmem.review.review import review_data
from agentjournal.engmem.review.text import rendered
from agentjournal.system.files import write_atomically
from agentjournal.usage.report.since import read_since

if TYPE_CHECKING:
    from agentjournal.cli.engmem_commands.session import StoreSession

__all__ = ["review"]


@click.command(
    epilog="\b\nExamples:\n  engmem review --since 4w\n  engmem review --html review.html"
)
@click.option(
    "--since", metavar="WHEN", help="Count searches and costs from: 4w, 30d, or 2026-11-30."
)
@click.option(
    "--html",
    "html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a page that needs nothing else, too.",
)
@with_store
def review(session: StoreSession, since: str | None, html: Path | None) -> None:
    """Measure a store after some weeks: quotes that hold, what counts, and what recall cost."""
    found = measure(session.root, read_since(since, session.world.clock.now()))
    if html is not None:
        data = page(found, session.world.now()[:10]).encode(errors="backslashreplace")
        write_atomically(session.world.cwd / html, data, mode=0o644)
        session.output.note(f"Wrote {html}.")
    session.output.result(rendered(found), review_data(found))
