"""`agentjournal journal`: the memory of an owner, as a snapshot, in the store, or in a prompt."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from agentjournal.cli.lazy import Entry, LazyGroup
from agentjournal.cli.options import complete_slug
from agentjournal.cli.session import with_reading_session
from agentjournal.errors import NotFoundError
from agentjournal.execution.names import project_slugs
from agentjournal.execution.record import record_lines
from agentjournal.journal.breakpoints import Rule, breakpoints
from agentjournal.journal.journal import Journal
from agentjournal.lanes.kept import KeptJournal
from agentjournal.lanes.owner import is_owner
from agentjournal.system.files import read_inside

if TYPE_CHECKING:
    from agentjournal.cli.session import Session
    from agentjournal.journal.segment import Segment

__all__ = ["journal", "kept_journal", "read_file", "read_journal", "render", "segments"]

SNAPSHOT_BYTES = 64 * 1024 * 1024
_HERE = "agentjournal.cli.commands"

ENTRIES = {
    "render": Entry(f"{_HERE}.journal:render", "Render an owner's memory, or a project's record."),
    "segments": Entry(f"{_HERE}.journal:segments", "List the blocks that APIs cache, with marks."),
    "lint": Entry(
        f"{_HERE}.journal_lint:lint", "Find what chills a prefix cache, above a boundary."
    ),
    "consolidate": Entry(
        f"{_HERE}.journal_consolidate:consolidate",
        "Distil the oldest part, with a model or without.",
    ),
    "search": Entry(f"{_HERE}.journal_search:search", "Find what went below an owner's floor."),
    "export": Entry(f"{_HERE}.journal_move:export", "Write an owner's journal as a snapshot."),
    "import": Entry(f"{_HERE}.journal_move:import_", "Begin an owner's journal with a snapshot."),
}


@click.command(cls=LazyGroup, entries=ENTRIES)
def journal() -> None:
    """Render, check, distil and move the memory of an owner.

    An OWNER is lane/NAME, agent/NAMESPACE/ID or item/ID; a FILE is a snapshot.
    """


@click.command(
    epilog="\b\nExamples:\n  agentjournal journal render snapshot.json\n"
    "  agentjournal journal render agent/shop/planner\n  agentjournal journal render shop"
)
@click.argument("source", metavar="FILE|OWNER|SLUG", shell_complete=complete_slug)
@with_reading_session
def render(session: Session, source: str) -> None:
    """Render an owner's memory as its prompt has it, or a project's record as its briefs have it."""
    if Path(source).is_file() or is_owner(source):
        read = read_journal(session, source)
        text = read.render()
        session.output.result(text, {"owner": read.owner, "render": text})
        return
    log = session.services.log
    if source not in project_slugs(log):
        raise NotFoundError(
            f"{source!r} is neither a snapshot file nor an owner nor a project.",
            next="Give a file, an owner, or a slug that `agentjournal state` knows.",
        )
    with log.database.snapshot() as reader:
        lines = record_lines(reader, source)
    session.output.result("\n".join(lines), {"project": source, "lines": lines})


@click.command(
    epilog="\b\nExamples:\n  agentjournal journal segments snapshot.json\n"
    "  agentjournal journal segments agent/shop/planner --rule exact"
)
@click.argument("source", metavar="FILE|OWNER")
@click.option(
    "--rule",
    type=click.Choice(get_args(Rule)),
    default="look back",
    show_default=True,
    help="Whose marks: Anthropic looks back, OpenAI from gpt-5.6 on matches exactly.",
)
@with_reading_session
def segments(session: Session, source: str, rule: Rule) -> None:
    """List the blocks of a memory as a chat API gets them: closed ones never change again."""
    parts = read_journal(session, source).segments()
    marked = breakpoints(parts, rule)
    rows = [_row(place, part, is_marked=place in marked) for place, part in enumerate(parts)]
    lines = [
        f"{row['place']:>4}  {row['kind']:<8} {'closed' if row['is_closed'] else 'open':<6}"
        f" {row['bytes']:>7}  {row['sha256']}{'  mark' if row['is_marked'] else ''}"
        for row in rows
    ]
    session.output.result("\n".join(lines), rows)


def read_journal(session: Session, source: str) -> Journal:
    """Read a snapshot file, or an owner's journal out of the store.

    Raises:
        NotFoundError: it is neither.
        InputError: the file is no snapshot.
    """
    if Path(source).is_file():
        return Journal.from_json(read_file(source))
    return kept_journal(session, source).journal


def kept_journal(session: Session, owner: str) -> KeptJournal:
    """Give the journal of an owner that the store knows.

    Raises:
        NotFoundError: there is no such file, and no owner of that name has a journal.
    """
    from agentjournal.lanes.lane import lane_streams

    if is_owner(owner):
        log = session.services.log
        with log.database.snapshot() as reader:
            if owner in lane_streams(reader):
                return KeptJournal(log, owner)
    raise NotFoundError(
        f"{owner!r} is neither a snapshot file nor an owner with a journal.",
        next="Give a file, or an owner like agent/shop/planner that has recorded a turn.",
    )


def read_file(name: str) -> str:
    """Read a file of at most 64 MiB as UTF-8; what is none is replaced.

    Raises:
        NotFoundError: there is no such file.
        InputError: it is no regular file, or larger.
    """
    path = Path(name).resolve()
    return read_inside(path.parent, path.name, SNAPSHOT_BYTES).decode("utf-8", "replace")


def _row(place: int, part: Segment, *, is_marked: bool) -> dict[str, object]:
    data = part.text.encode()
    return {
        "place": place,
        "kind": part.kind,
        "is_closed": part.is_closed,
        "bytes": len(data),
        "sha256": sha256(data).hexdigest()[:12],
        "is_marked": is_marked,
    }
