"""Finds what should not stand above a boundary, since it changes while nothing has happened."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Literal

from agentjournal.errors import Fault, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

VolatileKind = Literal["clock", "date", "uuid", "counter", "tokens", "retry", "key order"]

_DATE = r"\d{4}-\d{2}-\d{2}"
_TIME = r"(?:[01]?\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.,]\d{1,9})?"
_SHORT = r"(?:[01]?\d|2[0-3]):[0-5]\d"
_NOW = r"(?:now|time|clock|it(?: is|'s)|as of)"
_NUMBER = r"\d[\d,_]{0,20}"
_OF = rf"{_NUMBER} ?(?:of|/) ?\d+\b"
_COUNTED = r"(?:turn|step|message|round|iteration|cycle|page|item)s?"
_LEFT = r"(?:left|remaining|to go|so far|used)"
_PATTERNS: tuple[tuple[VolatileKind, str, str], ...] = (
    ("clock", rf"\b(?:{_DATE}[T ])?{_TIME}(?:Z|[+-]\d\d:?\d\d)?(?![\w:])", "a clock time"),
    ("clock", rf"\b{_DATE}[T ]{_SHORT}(?:Z|[+-]\d\d:?\d\d)?(?![\w:])", "a clock time"),
    ("clock", rf"\b{_NOW}\b(?: is)?[ :=]{{1,3}}{_SHORT}(?![\w:])", "a clock time"),
    ("clock", r"\b(?:1[0-2]|0?[1-9]):[0-5]\d ?[ap]\.?m\b", "a clock time"),
    ("clock", r"\b1[5-9]\d{8}(?:\d{3})?\b", "seconds or milliseconds since 1970"),
    ("uuid", r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "a UUID"),
    ("retry", rf"\b(?:attempt|try|retry|retries)\b[ :#]{{0,3}}{_OF}", "a retry counter"),
    ("retry", rf"\b(?:retry|retries)\b[ :#=]{{1,3}}{_NUMBER}\b", "a retry counter"),
    ("tokens", rf"\b{_NUMBER} (?:\w{{1,12}} )?tokens\b", "a token count"),
    ("tokens", rf"\b\w{{0,20}}tokens\b(?: {_LEFT})?[ \"]{{0,2}}[:=] ?{_NUMBER}\b", "a token count"),
    ("counter", rf"\b{_COUNTED}\b[ #]{{1,2}}{_OF}", "a counter"),
    ("counter", rf"\b{_NUMBER} (?:\w{{1,20}} )?{_LEFT}\b", "a counter"),
)
_COMPILED = tuple((kind, re.compile(text, re.IGNORECASE), why) for kind, text, why in _PATTERNS)
_MONTHS = """
    January February March April May June July August September October November December
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
_JSON = re.compile(r'"((?:[^"\\\n]|\\.){0,200}+)"(\s{0,8}:)?|[{}]')


@dataclass(frozen=True, kw_only=True)
class Volatile:
    """One finding: where (byte from 0, line from 1), the text itself, and why it is suspicious."""

    at: int
    line: int
    kind: VolatileKind
    text: str
    reason: str


def scan_volatile(text: str, *, today: str | None = None) -> list[Volatile]:
    """Find clock times, UUIDs, counters, token counts, retries and unsorted keys, in order.

    With `today` (YYYY-MM-DD) that date is a finding too, and a time on another day is history. Hours
    and minutes alone count where the words before say that it is a clock: "it is 10:31".

    >>> from agentjournal import scan_volatile
    >>> [(found.at, found.reason) for found in scan_volatile("turn 14 of 30: go on")]
    [(0, 'a counter')]

    Raises:
        InputError: `today` is no day.
    """
    day = None if today is None else _day(today)
    found = [
        (match.start(), match.end(), kind, why)
        for kind, pattern, why in _COMPILED
        for match in pattern.finditer(text)
        if not _is_history(match.group(), day)
    ]
    if day:
        found += [(m.start(), m.end(), "date", "today's date") for m in _written(day, text)]
    found += _unsorted_keys(text)
    return _located(text, _without_overlaps(found))


Span = tuple[int, int, VolatileKind, str]


def _day(text: str) -> date:
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()  # noqa: DTZ007 - a day has no zone
    except ValueError as cause:
        fault = Fault(
            field="today", rule="a day as YYYY-MM-DD", got=repr(text[:40]), remedy="Write it so."
        )
        raise InputError(f"{text[:40]!r} is no day.", faults=(fault,)) from cause


def _written(day: date, text: str) -> Iterator[re.Match[str]]:
    """Find a day as people write it: `2026-11-30`, `Nov 30, 2026`, `30 November 2026`."""
    name = _MONTHS[day.month - 1]
    word = rf"{name[:3]}(?:{name[3:]})?\.?"
    number = rf"0?{day.day}(?:st|nd|rd|th)?"
    forms = (
        rf"{day:%Y[-/]%m[-/]%d}\b(?![T ]{_SHORT})",
        rf"{word} {number},? {day.year}\b",
        rf"{number} {word},? {day.year}\b",
    )
    return re.finditer(rf"\b(?:{'|'.join(forms)})", text, re.IGNORECASE)


def _is_history(text: str, day: date | None) -> bool:
    return bool(day and re.match(_DATE, text)) and not text.startswith(f"{day}")


def _unsorted_keys(text: str) -> list[Span]:
    """Walk over strings and braces to find keys that sort before the one before them."""
    found: list[Span] = []
    keys: list[str | None] = []  # the last key of each open object
    for match in _JSON.finditer(text):
        mark = match.group()
        if mark == "{":
            keys.append(None)
        elif mark == "}":
            keys[-1:] = []
        elif match.group(2) and keys:
            key, before = match.group(1), keys[-1]
            if before is not None and key < before:
                reason = f"keys out of order: {key!r} after {before!r}"
                found.append((match.start(), match.end(), "key order", reason))
            keys[-1] = key
    return found


def _without_overlaps(found: list[Span]) -> list[Span]:
    """Keep of findings that overlap the one that begins first, of equal beginnings the longest."""
    kept: list[Span] = []
    for span in sorted(found, key=lambda span: (span[0], -span[1])):
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept


def _located(text: str, spans: list[Span]) -> list[Volatile]:
    """Turn character places into bytes and lines, walking over the text once."""
    located: list[Volatile] = []
    place, at, line = 0, 0, 1
    for start, end, kind, reason in spans:
        between = text[place:start]
        place, at, line = start, at + _size(between), line + between.count("\n")
        located.append(Volatile(at=at, line=line, kind=kind, text=text[start:end], reason=reason))
    return located


def _size(text: str) -> int:
    return len(text.encode(errors="surrogatepass"))
