"""`agentjournal tried`: was this tried, decided or rejected before?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentjournal.cli.options import bytes_option
from agentjournal.cli.session import with_reading_session
from agentjournal.recall.tried import CAP, CEILING, LIMIT, answer_data
from agentjournal.recall.tried import tried as ask

if TYPE_CHECKING:
    from agentjournal.cli.session import Session

__all__ = ["tried"]


@click.command(
    epilog="\b\nExamples:\n  agentjournal tried cache the parser results\n"
    "  agentjournal tried --json 'retry on timeout'"
)
@click.argument("words", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(1, LIMIT), default=LIMIT, show_default=True)
@bytes_option(CAP, CEILING)
@with_reading_session
def tried(session: Session, words: tuple[str, ...], limit: int, cap: int) -> None:
    """Ask every record at once whether something was tried, decided or rejected.

    It asks the log, engmem documents, and the candidates that `init` harvested here (marked as such).
    """
    if not any(word.strip() for word in words):
        raise click.UsageError("Ask in words: what are you about to do?")
    services = session.services
    room = cap - 1  # the line end is printed too
    answer = ask(services.all_sources(), " ".join(words), cap=room, limit=limit)
    session.output.result(answer.text, answer_data(answer))
