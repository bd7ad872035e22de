"""What every dispatch needs: the log, the clock, the machine, and what is known besides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.execution.attempt import LeaseFor
from agentjournal.execution.reap import Presence
from agentjournal.system.clock import timestamp

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from agentjournal.brief.brief import Brief
    from agentjournal.brief.caps import BriefCaps
    from agentjournal.execution.observed import Observed
    from agentjournal.execution.policy import Limits
    from agentjournal.log.log import Log
    from agentjournal.recall.claim import Source
    from agentjournal.system.clock import Clock
    from agentjournal.system.spool import Spool

__all__ = ["Machine", "Workshop"]


@dataclass(frozen=True, kw_only=True)
class Machine:
    """This host and process, as leases name them, and how to look at others on it."""

    host: str
    boot: str
    pid: int
    started: str
    is_alive: Callable[[int, str], bool]
    end_group: Callable[[int, str], object]

    def lease(self, seconds: int, *, is_ours: bool = True) -> LeaseFor:
        """Give a lease held by this process, or (work by hand) by no process."""
        if not is_ours:
            return LeaseFor(seconds=seconds, host=self.host, boot=self.boot)
        return LeaseFor(
            seconds=seconds, host=self.host, boot=self.boot, pid=self.pid, started=self.started
        )

    @property
    def presence(self) -> Presence:
        """Give what the reaper asks."""
        return Presence(
            host=self.host, boot=self.boot, is_alive=self.is_alive, end_group=self.end_group
        )


@dataclass(frozen=True, kw_only=True)
class Workshop:
    """Everything that dispatching work needs, passed in whole."""

    log: Log
    spool: Spool
    machine: Machine
    attempts: Path  # folder of the desks
    folder: Path  # where workers work
    environment: Mapping[str, str]
    new_id: Callable[[], str]
    new_token: Callable[[], str]
    clock: Clock
    sources: Callable[[], Sequence[Source]]
    observed: Callable[[str], Observed]  # of a project's slug
    limits: Limits
    caps: BriefCaps
    lease_seconds: int
    heartbeat_seconds: float
    proxy: str | None = None  # where a proxy of ours listens that measures the workers
    served: Callable[[str, Brief], None] | None = None  # notes what a project's brief quotes

    def note_served(self, slug: str, brief: Brief) -> None:
        """Note which documents a brief hands to a worker."""
        if self.served is not None and brief.served:
            self.served(slug, brief)

    def now(self) -> str:
        """Give this moment as the log writes it."""
        return timestamp(self.clock.now())
