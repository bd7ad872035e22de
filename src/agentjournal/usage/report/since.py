"""Reads `--since`: a span back from now, a day, or a moment."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from agentjournal.errors import InputError
from agentjournal.system.clock import read_moment, timestamp

if TYPE_CHECKING:
    from datetime import datetime

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
    moment = _back(now, span) if span else read_moment(text.strip())
    if moment is None:
        raise InputError(
            f"{text!r} is no time to count from.", next="Give 90m, 12h, 7d, 2w, or 2026-11-30."
        )
    return timestamp(moment)


def _back(now: datetime, span: re.Match[str]) -> datetime | None:
    try:
        return now - timedelta(**{_UNITS[span[2]]: int(span[1])})
    except OverflowError:
        return None
