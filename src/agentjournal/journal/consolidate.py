"""Reclaim a journal's room: distil its oldest span, then drop it, or change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agentjournal.errors import AgentJournalError, ConsolidationError, InputError
from agentjournal.journal.consolidation import Consolidation

if TYPE_CHECKING:
    from agentjournal.journal.consolidation import ConsolidationRequest, Consolidator
    from agentjournal.journal.journal import Journal


class Consolidated(NamedTuple):
    """What a consolidation did: the result as it came back, and how many entries it replaced."""

    result: Consolidation
    dropped: int


def consolidate(
    journal: Journal, consolidator: Consolidator, keep_fraction: float = 0.5
) -> Consolidated:
    """Distil the oldest entries and replace them by what came back.

    Layout v1 keeps about that fraction, whole epochs; v2 keeps the last four turns whatever it is.
    The consolidator runs outside of the journal's lock: turns recorded meanwhile are kept.
    With nothing to split it is not called, and nothing changes.

    Raises:
        ConsolidationError: it failed, or brought nothing new; the journal is as it was.
        RevisionConflict: the journal was rewritten meanwhile; this result was not applied.
    """
    plan = journal.plan_consolidation(keep_fraction)
    if plan is None:
        return Consolidated(Consolidation(), 0)
    request = plan.request
    result = _distil(consolidator, request)
    is_news = journal.is_news(result)
    if not is_news and journal.revision == plan.revision:
        raise ConsolidationError(
            f"journalengine: consolidate {request.owner}: empty result for epochs "
            f"{request.epoch_start}-{request.epoch_end}; journal left intact",
            next="let the consolidator give an identity or at least one new ledger line",
        )
    journal.apply_consolidation(
        result, plan.first_kept, revision=plan.revision, folded=len(request.folded)
    )
    return Consolidated(result, len(request.entries))


def _distil(consolidator: Consolidator, request: ConsolidationRequest) -> Consolidation:
    try:
        return asked(consolidator, request)
    except Exception as cause:
        said, step = f"{cause}", "try again later"
        if isinstance(cause, AgentJournalError) and not isinstance(cause, InputError):
            said, step = cause.message, cause.next
        raise ConsolidationError(
            f"journalengine: consolidate {request.owner}: {said}",
            next=f"the journal is unchanged: {step}",
        ) from cause


def asked(consolidator: Consolidator, request: ConsolidationRequest) -> Consolidation:
    """Call the consolidator.

    Raises:
        InputError: it gave something else than a consolidation.
    """
    result = consolidator(request)
    if not isinstance(result, Consolidation):
        raise InputError(f"The consolidator gave a {type(result).__name__}, no Consolidation.")
    return result
