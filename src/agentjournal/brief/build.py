"""Builds the brief of one attempt out of the log and what is known elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.brief.brief import Brief
from agentjournal.brief.caps import BriefCaps
from agentjournal.brief.contain import framed, without_marks
from agentjournal.brief.elsewhere import NOTHING, render_elsewhere
from agentjournal.brief.read import read_known
from agentjournal.brief.retry import render_retry
from agentjournal.brief.stable import render_stable
from agentjournal.brief.task_part import render_attempt, render_task, section
from agentjournal.execution.context.read import get_task_context
from agentjournal.execution.observed import NOTHING_OBSERVED, Observed
from agentjournal.text.bounded import clip, size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.brief.read import Known
    from agentjournal.brief.task_part import Work
    from agentjournal.log.log import Log
    from agentjournal.recall.claim import Source

DEFAULT_CAPS = BriefCaps()

_IN_FORCE = "In force for this task"
_ELSEWHERE = "Decided elsewhere"
_LEFT = "what earlier workers left"
_LEAST = 300  # bytes, below which recall is not asked


def build_brief(  # noqa: PLR0913 - the parts of a brief
    log: Log,
    slug: str,
    task: str,
    *,
    token: str | None = None,
    observed: Observed = NOTHING_OBSERVED,
    sources: Sequence[Source] = (),
    caps: BriefCaps = DEFAULT_CAPS,
    retry: str | None = None,
) -> Brief:
    """Build what a worker of this task gets; call it when the attempt is open.

    `sources` are asked what was decided elsewhere. `retry` replaces the retry context, which is
    otherwise written from the log where the task came back before. Reading changes nothing.

    Raises:
        NotFoundError: there is no such project or task.
    """
    with log.database.snapshot() as reader:
        known = read_known(reader, slug, task, token)
    stable = render_stable(known.standing)
    room = _Room(caps.total - size(Brief(stable, "").text))
    ending = [
        room.take("Your task", render_task(known.work, caps.task)),
        room.take("Your attempt", render_attempt(known.work)),
        room.take("Earlier attempts", _retry(known, retry, caps.retry)),
    ]
    in_force = _in_force(log, known.work, observed, room.left(_IN_FORCE, caps.context))
    beginning = [room.take(_IN_FORCE, in_force)]
    left = room.left(_ELSEWHERE, caps.elsewhere)
    elsewhere = render_elsewhere(sources, known.work, left) if left >= _LEAST else NOTHING
    beginning.append(room.take(_ELSEWHERE, elsewhere.text))
    task_part = "\n".join(part for part in [*beginning, *ending] if part)
    return Brief(stable, task_part, elsewhere.served)


@dataclass
class _Room:
    """The bytes that are still free while the parts of a brief are written."""

    free: int

    def take(self, heading: str, text: str) -> str:
        """Give a part under its heading and take its bytes; an empty one is nothing."""
        if not text:
            return ""
        part = section(heading, text)
        self.free -= size(part) + 1
        return part

    def left(self, heading: str, cap: int) -> int:
        """Say how long a part's text may be."""
        return max(min(cap, self.free - size(section(heading, "")) - 1), 0)


def _in_force(log: Log, work: Work, observed: Observed, cap: int) -> str:
    """Give the task's context in a frame; it may know a close more than the record above it."""
    room = cap - size(framed(_LEFT, "", cap))
    context = get_task_context(
        log, work.slug, work.task, cap=room, observed=observed, without_task_text=True
    )
    return framed(_LEFT, without_marks(context), cap)


def _retry(known: Known, given: str | None, cap: int) -> str:
    if given is None:
        return render_retry(known.work.attempt, known.returns, cap)
    return clip(without_marks(given), cap)
