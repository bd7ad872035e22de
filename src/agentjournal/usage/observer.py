"""Passes each completion on to log and sinks; whatever goes wrong, the caller never notices."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from agentjournal.system.clock import Clock, SystemClock, timestamp
from agentjournal.system.identity import uuid7
from agentjournal.usage.call import Call, Source
from agentjournal.usage.guard import guarded
from agentjournal.usage.lane import Lanes
from agentjournal.usage.sinks.log import LogLine
from agentjournal.usage.subject import Subject

if TYPE_CHECKING:
    import logging
    from collections.abc import Callable, Sequence

    from agentjournal.usage.record import Usage

__all__ = ["Observer", "Sink"]


class Sink(Protocol):
    """Takes every observed call; must not block, may be called from any thread."""

    def __call__(self, call: Call) -> None:
        """Take one call."""
        ...


@dataclass(kw_only=True)
class Observer:
    """Observes completions: changes no request, decides nothing, raises nothing.

    Without a logger and sinks it is silent. `subject` says for whom calls count where no component
    context narrows them.
    """

    logger: logging.Logger | None = None
    sinks: Sequence[Sink] = ()
    subject: Subject = field(default_factory=Subject)
    source: Source = "observer"
    lanes: Lanes = field(default_factory=Lanes)
    clock: Clock = field(default_factory=SystemClock)
    random_bytes: Callable[[int], bytes] = os.urandom

    def observe(
        self,
        usage: Usage,
        *,
        requested_model: str = "",
        lane: str | None = None,
        subject: Subject | None = None,
        ms: int | None = None,
    ) -> Call | None:
        """Take one answer and give the call as it was passed on, None where even that failed.

        The model is the one that the engine names, else the one asked for.
        """
        with guarded():
            model = usage.model or requested_model.strip()
            now = self.clock.now()
            call = Call(
                id=uuid7(now, self.random_bytes),
                at=timestamp(now),
                usage=self.lanes.settle((lane, model), usage) if lane else usage,
                subject=(subject or self.subject).narrowed(),
                model=model,
                lane=lane,
                source=self.source,
                ms=ms,
            )
            self._pass_on(call)
            return call
        return None

    def _pass_on(self, call: Call) -> None:
        """Give the call to every sink, each for itself: one that fails takes nothing from the others."""
        own = [LogLine(self.logger)] if self.logger else []
        for sink in (*own, *self.sinks):
            with guarded():
                sink(call)
