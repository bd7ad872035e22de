"""`agentjournal journal search`: what went below an owner's floor, found again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentjournal.cli.commands.journal import kept_journal
from agentjournal.cli.options import bytes_option
from agentjournal.cli.session import with_session
from agentjournal.lanes.archive.search import CAP_BYTES, search_archive

if TYPE_CHECKING:
    from agentjournal.cli.session import Session

__all__ = ["search"]


@click.command(
    epilog="\b\nExample:\n  agentjournal journal search agent/shop/planner 'why did the till fail'"
)
@click.argument("owner", metavar="OWNER")
@click.argument("question", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(1, 20), default=5, show_default=True)
@bytes_option(CAP_BYTES, 24_000)
@with_session
def search(
    session: Session, owner: str, question: tuple[str, ...], *, limit: int, cap: int
) -> None:
    """Find what an owner once knew and its prompt no longer holds: for the tail of a prompt, fenced."""
    kept = kept_journal(session, owner)
    answer = search_archive(
        session.services.log, kept.stream, " ".join(question), limit=limit, cap=cap
    )
    hits = [
        {"first_epoch": hit.first_epoch, "last_epoch": hit.last_epoch, "neutral": hit.neutral}
        for hit in answer.hits
    ]
    text = answer.text or "Nothing that has left this owner's prompt answers that."
    session.output.result(text, {"hits": hits, "held": answer.held, "text": answer.text})
