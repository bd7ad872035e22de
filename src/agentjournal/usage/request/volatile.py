"""What kind of thing changed at a place in a text: a clock, an id, a counter."""

from __future__ import annotations

import re
from typing import Literal

from agentjournal.journal.volatile import scan_volatile

__all__ = ["VolatileCause", "volatile_cause"]

VolatileCause = Literal["clock", "id", "counter"]
_WINDOW = 80
_KINDS: dict[str, VolatileCause] = {
    "clock": "clock",
    "date": "clock",
    "uuid": "id",
    "counter": "counter",
    "tokens": "counter",
    "retry": "counter",
}
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DATES = re.compile(
    rf"\d{{4}}-\d\d(?:-\d\d)?|\d{{1,2}}:\d\d|\b{_MONTH}\.? \d{{1,2}}\b|\b\d{{1,2}}\.? {_MONTH}\b"
    r"|\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b|\d{1,2}[./]\d{1,2}[./]\d{2,4}",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[\w.-]+")
_ID_LENGTH = 6


def volatile_cause(before: str, after: str, at: int) -> VolatileCause | None:
    """Name what stands at a character of both texts, None where it is none of the three in either."""
    kinds = {_kind_at(before, at), _kind_at(after, at)}
    if len(kinds) == 1 and None not in kinds:
        return kinds.pop()
    return _by_token(_token_at(before, at), _token_at(after, at))


def _kind_at(text: str, at: int) -> VolatileCause | None:
    start = max(0, at - _WINDOW)
    window = text[start : at + _WINDOW]
    place = len(text[start:at].encode(errors="surrogatepass"))
    for found in scan_volatile(window):
        end = found.at + len(found.text.encode(errors="surrogatepass"))
        if found.at <= place <= end and found.kind in _KINDS:
            return _KINDS[found.kind]
    is_date = any(date.start() <= at - start <= date.end() for date in _DATES.finditer(window))
    return "clock" if is_date else None


def _token_at(text: str, at: int) -> str:
    """Give the word that this character stands in."""
    start = max(0, at - _WINDOW)
    for found in _TOKEN.finditer(text, start, at + _WINDOW):
        if found.start() <= at < found.end():
            return found.group()
    return ""


def _by_token(before: str, after: str) -> VolatileCause | None:
    if before.isdigit() and after.isdigit():
        return "counter"
    both = (before, after)
    has_digits = all(any(char.isdigit() for char in token) for token in both)
    if has_digits and min(map(len, both)) >= _ID_LENGTH:
        return "id"
    return None
