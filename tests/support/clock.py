"""A clock that stands until it is told otherwise."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class SettableClock:
    """Begins at 2026-01-31 09:00 UTC; `advance` moves it, `set` puts it anywhere."""

    def __init__(self) -> None:
        self._now = datetime(2026, 1, 31, 9, tzinfo=UTC)
        self._elapsed = 0.0

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._elapsed

    def advance(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)
        self._elapsed += seconds

    def set(self, moment: datetime) -> None:
        self._now = moment
