"""Open an attempt for work by hand: the brief and token are printed, `log` closes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.brief.build import build_brief
from agentjournal.execution.attempt import open_attempt
from agentjournal.orchestrator.reaping import taken
from agentjournal.orchestrator.run import given

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.brief.brief import Brief
    from agentjournal.execution.attempt import Claim
    from agentjournal.orchestrator.workshop import Workshop

__all__ = ["HAND_LEASE_SECONDS", "ByHand", "open_by_hand"]

HAND_LEASE_SECONDS = (
    8 * 60 * 60
)  # a person sends no heartbeats; a working day, then the reaper may close it


@dataclass(frozen=True, kw_only=True)
class ByHand:
    """An attempt in a person's hands."""

    slug: str
    task: str
    token: str
    number: int
    brief: Brief

    @property
    def data(self) -> Mapping[str, object]:
        """Give it as plain values, for `--json`."""
        return {
            "project": self.slug,
            "task": self.task,
            "token": self.token,
            "attempt": self.number,
            "brief": self.brief.text,
        }

    @property
    def told(self) -> str:
        """Say how to close it."""
        return (
            f"Attempt {self.number} of {self.task} is yours for {HAND_LEASE_SECONDS // 3600} hours.\n"
            "Close it: agentjournal log --form success > step.yml, fill it in, add the line\n"
            f"attempt: {self.token}\n"
            f"then: agentjournal log --project {self.slug} --task {self.task} --from step.yml"
        )


def open_by_hand(shop: Workshop, slug: str, task: str, actor: str) -> ByHand:
    """Open an attempt that no process holds, and build its brief.

    Raises:
        ConflictError: somebody else has the task, or its status does not allow an attempt.
    """
    claim_id, token = shop.new_id(), shop.new_token()

    def ask() -> Claim:
        return open_attempt(
            shop.log,
            slug=slug,
            task=task,
            claim_id=claim_id,
            token=token,
            holder="hand",
            actor=actor,
            at=shop.now(),
            lease=shop.machine.lease(HAND_LEASE_SECONDS, is_ours=False),
            limits=shop.limits,
        )

    opened = given(task, taken(shop, slug, ask))
    brief = build_brief(
        shop.log,
        slug,
        task,
        token=token,
        observed=shop.observed(slug),
        sources=shop.sources(),
        caps=shop.caps,
    )
    shop.note_served(slug, brief)
    return ByHand(slug=slug, task=task, token=token, number=opened.number, brief=brief)
