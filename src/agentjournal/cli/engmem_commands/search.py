"""`engmem search`: which past documents must be read before a plan is made?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentjournal.cli.engmem_commands.asked import SESSION, Asking, asking, narrowing
from agentjournal.cli.engmem_commands.given import read_request
from agentjournal.cli.engmem_commands.searched import searched
from agentjournal.cli.engmem_commands.session import with_store
from agentjournal.compose.asking import occasion

if TYPE_CHECKING:
    from agentjournal.cli.engmem_commands.session import StoreSession

__all__ = ["search"]


@click.command(
    cls=Asking,
    epilog="\b\nExamples:\n"
    "  engmem search ResponseCacheController ETAG revalidation --session 20260820-cache-endpoint\n"
    "  engmem search retry backoff --near src/export/ExportWorker.java\n"
    "  engmem search retry --role decisions",
)
@click.argument("words", nargs=-1, required=True)
@SESSION
@asking
@narrowing
@with_store
def search(session: StoreSession, /, words: tuple[str, ...], **given: object) -> None:
    """Find what past tasks decided and learned, by words, class names, files and ids.

    The answer is at most 4,096 bytes: three documents, the sections that answer, and the state of
    the memory. Read a section of a hit by its name: engmem read ID --section §3-decision-log.
    """
    now, cwd = session.world.clock.now(), session.world.cwd
    request = read_request(" ".join(words), cwd, now, given)
    searched(session.documents, request, occasion(session.root, cwd=cwd, now=now), session.output)
