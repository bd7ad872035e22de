"""Recording a step: once, whole, bound to its attempt, or refused with every fault named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.execution.certain import certain
from agentjournal.execution.contract import REMEDY
from agentjournal.execution.logged import logged, repeated
from agentjournal.execution.opening import Opening
from agentjournal.execution.payload import payload_of
from agentjournal.execution.placing import check_step, place_step, revision_of
from agentjournal.execution.projection.change import stream_of
from agentjournal.execution.references import project_faults
from agentjournal.execution.rules import refuse
from agentjournal.execution.settle import settle

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agentjournal.execution.logged import Logged
    from agentjournal.execution.payload import Payload
    from agentjournal.execution.placing import Place
    from agentjournal.execution.step import Step
    from agentjournal.log.event import Draft
    from agentjournal.log.log import Log

__all__ = ["log_step"]


def log_step(
    log: Log, step: Step, *, new_id: Callable[[], str], blobs: Mapping[str, str] | None = None
) -> Logged:
    """Record one step, as progress or as the close of its attempt.

    It is a close when its attempt was opened by hand, or when its task has none open (then one is
    opened and closed with it); else a step. Safe to repeat with the same id after any error.
    `blobs` maps paths of the working tree to hashes: see `payload_of`.

    Raises:
        InputError: with every fault; nothing was stored.
        ConflictError: the id is stored with other content.
    """
    payload = payload_of(step, blobs)
    with log.database.snapshot() as reader:
        if found := log.find(reader, step.id):
            return repeated(reader, found, payload)
        refuse("The step", list(project_faults(reader, step.project_slug)), next=REMEDY)
        check_step(reader, step)
        revision = revision_of(reader, step.project_slug, step.attempt)
    drafts = _drafts(step, payload, revision, new_id())

    def store() -> Logged:
        with log.database.transaction() as tx:
            log.lock_stream(tx, stream_of(step.project_slug))
            if found := log.find(tx, step.id):
                return repeated(tx, found, payload)
            place, notes = place_step(tx, step)
            stored = log.append(tx, drafts[place])[-1]
            settle(log, tx, stored, new_id)
            return logged(tx, stored, payload, notes=notes)

    return certain(store)


def _drafts(
    step: Step, payload: Payload, revision: int, opening_id: str
) -> dict[Place, list[Draft]]:
    """Make the events of every place that the step may get, before the lock is taken."""
    drafts: dict[Place, list[Draft]] = {"step": [payload.draft("step", revision=revision)]}
    if step.plan_ref is not None:
        opening = Opening(
            id=opening_id,
            slug=step.project_slug,
            task=step.plan_ref,
            actor=step.actor,
            at=step.started_at or step.ended_at,
            revision=revision,
        )
        drafts["close"] = [payload.draft("close", revision=revision, end="by_hand")]
        drafts["open and close"] = [opening.draft(), *drafts["close"]]
    return drafts
