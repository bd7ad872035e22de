"""Time, as an argument: a clock to pass down, and the one spelling of a moment."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from typing import Protocol

from agentjournal.errors import Fault, InputError

__all__ = ["Clock", "SystemClock", "parse_timestamp", "read_moment", "timestamp"]

_SPELLING = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """Give this moment, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Give seconds from an unnamed start, which never go back."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """Give this moment, aware, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Give seconds from an unnamed start, which never go back."""
        return time.monotonic()


def timestamp(moment: datetime) -> str:
    """Write the moment as `YYYY-MM-DDTHH:MM:SS.ffffffZ`: such texts sort by time.

    Raises:
        InputError: the moment does not say its time zone.
    """
    if moment.tzinfo is None:
        raise _refusal("must say its time zone", moment.isoformat())
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def parse_timestamp(text: str) -> datetime:
    """Read the one spelling that `timestamp` writes.

    Raises:
        InputError: any other spelling, or a day or hour that does not exist.
    """
    if not _SPELLING.fullmatch(text):
        raise _refusal("must be YYYY-MM-DDTHH:MM:SS.ffffffZ", text[:40])
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise _refusal("must exist in the calendar", text) from error


def read_moment(text: str) -> datetime | None:
    """Read a moment as others write it, in UTC; one without a time zone is taken as UTC.

    None where it is no moment, or lies before the year 1 or after the year 9999 once it is in UTC.
    """
    try:
        read = datetime.fromisoformat(text)
        return read.astimezone(UTC) if read.tzinfo else read.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _refusal(rule: str, got: str) -> InputError:
    remedy = "Give it in UTC, like 2026-01-31T09:05:00.000000Z."
    fault = Fault(field="time", rule=rule, got=got, remedy=remedy)
    return InputError(
        f"This is no moment that can be stored: {got!r}.", faults=(fault,), next=remedy
    )
