"""Notes in a store of documents what briefs quoted of it, so that recall is never free unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.engmem.ledger.cost_row import COST, read_delivery
from agentjournal.engmem.ledger.stamp import Stamp
from agentjournal.engmem.version import PROGRAM
from agentjournal.engmem.writing.ledger_line import append_line
from agentjournal.errors import AgentJournalError
from agentjournal.recall.drafting.material import document_id

if TYPE_CHECKING:
    from agentjournal.brief.brief import Brief
    from agentjournal.compose.services import Services

__all__ = ["record_served"]


def record_served(services: Services, slug: str, brief: Brief) -> list[str]:
    """Write a row for each document that the brief quotes; give notes on what failed, raise nothing.

    The session is the document that will be drafted from the project's log.
    """
    if not brief.served:
        return []
    try:
        session = document_id(services.log, slug)
    except AgentJournalError as error:
        return [f"What the brief quotes was not noted: {error.message}"]
    world, failed = services.world, []
    for served in brief.served:
        stamp = Stamp(now=world.clock.now(), version=PROGRAM, channel="brief", op_id=world.new_id())
        row = read_delivery(
            stamp, session=session, delivered=served.bytes, doc_id=served.document, role=None
        )
        if reason := append_line(services.settings.engmem_store, COST, row):
            failed.append(f"What the brief quotes of {served.document} was not noted: {reason}")
    return failed
