"""Notice that the machine slept: leases ran out meanwhile whose holders are alive and well."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentjournal.system.clock import Clock

__all__ = ["Awake"]


class Awake:
    """Compares the wall clock with the monotonic one, which stands still while a machine sleeps."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seen = self._read()

    def slept(self) -> float:
        """Give the seconds slept since the last look (or by which the wall clock was set forward)."""
        (wall, steady), (wall_now, steady_now) = self._seen, self._read()
        self._seen = wall_now, steady_now
        return max((wall_now - wall) - (steady_now - steady), 0.0)

    def _read(self) -> tuple[float, float]:
        return self._clock.now().timestamp(), self._clock.monotonic()
