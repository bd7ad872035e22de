"""`engmem feedback`: did a document that a search showed help?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentjournal.cli.engmem_commands.session import with_store
from agentjournal.compose.stamped import stamp_of
from agentjournal.engmem.ledger.assessment import Assessment, read_verdict
from agentjournal.engmem.ledger.feedback import record_feedback
from agentjournal.engmem.ledger.feedback_summary import read_feedback

if TYPE_CHECKING:
    from agentjournal.cli.engmem_commands.session import StoreSession

__all__ = ["feedback"]


@click.group(epilog="\b\nExample:\n  engmem feedback summary")
def feedback() -> None:
    """Record whether a find helped, and sum up what is known of all finds."""


@feedback.command(
    epilog="\b\nExample:\n  engmem feedback record 20261120-retry 2201-parcel-router helped"
    ' \\\n    --decision "kept the budget in one place" --source "PR 12"'
)
@click.argument("draft", metavar="SESSION")
@click.argument("document", metavar="DOC")
@click.argument("assessment", metavar="helped|not-applicable|harmful")
@click.option("--decision", metavar="TEXT", help="The decision that it changed, in your words.")
@click.option("--source", metavar="TEXT", help="Where that can be seen: a commit, a review.")
@with_store
def record(  # noqa: PLR0913, PLR0917 - click hands over what was given, one by one
    session: StoreSession,
    draft: str,
    document: str,
    assessment: str,
    decision: str | None,
    source: str | None,
) -> None:
    """Record your verdict on a document that a search of the session showed."""
    given = Assessment(
        session=draft,
        document=document,
        verdict=read_verdict(assessment),
        decision=decision,
        source=source,
    )
    told = record_feedback(session.root, session.index, given, stamp_of(session.world))
    session.output.result(told, {"recorded": told})


@feedback.command(epilog="\b\nExample:\n  engmem feedback summary --session 20261120-retry")
@click.option("--session", "draft", metavar="ID", help="Only this session, finds by name.")
@with_store
def summary(session: StoreSession, draft: str | None) -> None:
    """Count finds that helped, did not apply or harmed, and those that nobody assessed."""
    found = read_feedback(session.root, session.index, draft)
    session.output.result(found.text(), found.data())
