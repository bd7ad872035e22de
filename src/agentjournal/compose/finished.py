"""What follows the end of a task: a plan that it finished is drafted as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.engmem.scan import SESSIONS
from agentjournal.errors import AgentJournalError

if TYPE_CHECKING:
    from agentjournal.compose.services import Services

__all__ = ["after_task"]


def after_task(services: Services, slug: str) -> list[str]:
    """Draft the document of a plan if it is finished and there is a store; say so, raise nothing.

    What drafts is loaded only then: most tasks that end finish nothing.
    """
    if not (services.settings.engmem_store / SESSIONS).is_dir():
        return []
    from agentjournal.orchestrator.loop import standing

    try:
        if not standing(services.workshop, slug).is_done:
            return []
    except AgentJournalError as error:
        return [f"No document was drafted: {error.message}"]
    from agentjournal.compose.drafting import draft_finished

    return draft_finished(services, slug)
