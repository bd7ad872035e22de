"""Reads `--since`: a span back from now, a day, or a moment."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from agentjournal.errors import InputError
from agentjournal.system.clock import timestamp

__all__ = ["read_since"]

_SPAN = re.compile(r"(\d{1,6})([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def read_since(text: str | None, now: datetime) -> str:
    """Give the moment from which to count, blank for everything.

    Raises:
        InputError: it is neither like `90m`, `12h`, `7d` or `2w`, nor a day, nor a moment.
    """
    if not text:
        return ""
    span = _SPAN.fullmatch(text.strip())
    try:
        if span:
            return timestamp(now - timedelta(**{_UNITS[span[2]]: int(span[1])}))
        moment = datetime.fromisoformat(text.strip())
    except (ValueError, OverflowError) as error:
        raise InputError(
            f"{text!r} is no time to count from.", next="Give 90m, 12h, 7d, 2w, or 2026-11-30."
        ) from error
    return timestamp(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
