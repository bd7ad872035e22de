"""`engmem draft`: begin the document of a task, finish it, and see what was left unfinished."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from agentjournal.cli.engmem_commands.session import with_store
from agentjournal.cli.lazy import Entry, LazyGroup
from agentjournal.config.engmem import mode_file, saved_engmem_mode
from agentjournal.engmem.document import version_of
from agentjournal.engmem.store import BYTES
from agentjournal.engmem.writing.completing import complete_as_is, complete_draft
from agentjournal.engmem.writing.creating import create_draft
from agentjournal.engmem.writing.refusal import WriteRefused

if TYPE_CHECKING:
    from agentjournal.cli.engmem_commands.session import StoreSession

__all__ = ["complete", "create", "draft"]

_HERE = "agentjournal.cli.engmem_commands"

ENTRIES = {
    "create": Entry(f"{_HERE}.draft:create", "Write a new draft; the document on standard input."),
    "complete": Entry(f"{_HERE}.draft:complete", "Put the finished document in its draft's place."),
    "status": Entry(f"{_HERE}.draft_status:status", "Name unsaved drafts of this repository."),
    "from-log": Entry(f"{_HERE}.draft_from_log:from_log", "Draft a document from a project's log."),
}


@click.command(cls=LazyGroup, entries=ENTRIES, epilog="\b\nExample:\n  engmem draft status")
def draft() -> None:
    """Begin the document of a task, and finish it."""


@click.command(epilog="\b\nExample:\n  engmem draft create 20261130-retry < draft.md")
@click.argument("id_", metavar="ID")
@with_store
def create(session: StoreSession, id_: str) -> None:
    """Write a new document, which no search finds before it is completed; nothing is overwritten."""
    content = _document()
    mode = saved_engmem_mode(mode_file(session.world.environment, session.world.home)) or "daily"
    told = create_draft(session.root, id_, content, mode=mode)
    session.output.result(told, {"id": id_, "version": version_of(content), "told": told})


@click.command(
    epilog="\b\nExamples:\n  engmem draft complete 20261130-retry"
    " --expected-version 5ea10f71971b4878 < done.md\n  engmem draft complete 20261130-retry --as-is"
)
@click.argument("id_", metavar="ID")
@click.option(
    "--expected-version", default="", metavar="V", help="The version that `draft create` told."
)
@click.option("--as-is", "is_as_is", is_flag=True, help="The draft's own text is the document.")
@with_store
def complete(session: StoreSession, id_: str, expected_version: str, *, is_as_is: bool) -> None:
    """Put the finished document in the place of its draft; refused where that was changed since.

    The document comes on standard input. With --as-is the draft becomes active as its file stands,
    which you have read, or edited in place.
    """
    if is_as_is:
        told = complete_as_is(session.root, id_)
        session.output.result(told, {"id": id_, "told": told})
        return
    content = _document()
    told = complete_draft(session.root, id_, content, expected_version.strip())
    session.output.result(told, {"id": id_, "version": version_of(content), "told": told})


def _document() -> bytes:
    """Read the document on standard input.

    Raises:
        WriteRefused: a terminal stands there, or nothing.
    """
    if sys.stdin is None or sys.stdin.isatty():
        raise WriteRefused("pass the document on standard input — nothing was written.")
    return sys.stdin.buffer.read(BYTES + 1)
