"""Close attempts whose worker is gone, with what it had already laid on its desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.execution.attempt import Held
from agentjournal.execution.reap import reap
from agentjournal.orchestrator.close import take_spooled
from agentjournal.orchestrator.desk import Desk
from agentjournal.orchestrator.leftover import clear_leftovers

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentjournal.execution.attempt import Claim
    from agentjournal.execution.reap import OpenAttempt, Reaped
    from agentjournal.orchestrator.workshop import Workshop

__all__ = ["reap_workers", "taken"]


def taken(shop: Workshop, slug: str, ask: Callable[[], Claim]) -> Claim:
    """Claim a task; where a dead worker may hold it, close what died and ask once more."""
    answer = ask()
    return ask() if isinstance(answer, Held) and reap_workers(shop, slug) else answer


def reap_workers(shop: Workshop, slug: str | None = None) -> list[Reaped]:
    """Close what died, of one project or of all; a handoff that lies on its desk is taken.

    A wrapper that was killed between its worker's handoff and the close thus loses neither. Closes
    that wait in the spool come first: theirs is the true end of an attempt.
    """
    shop.spool.drain(take_spooled(shop.log, shop.spool, shop.new_id))

    def left(attempt: OpenAttempt) -> str | None:
        return Desk.of(shop.attempts, attempt.id).handoff()

    gone = reap(
        shop.log, shop.machine.presence, new_id=shop.new_id, at=shop.now(), slug=slug, left=left
    )
    for each in gone:
        Desk.of(shop.attempts, each.claim_id).clear()
    clear_leftovers(shop)
    return gone
