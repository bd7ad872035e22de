"""When a ruled-out option may be looked at again: conditions, and what the facts say of them.

    library NAME >= VERSION      the lock files name that version or a newer one
    date YYYY-MM-DD              that day has come (UTC)
    path GLOB changes            a file below the project root differs from what it was

Anything else is free text, shown and left to the reader.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, assert_never

from agentjournal.execution.citation import quoted_line
from agentjournal.execution.glob import read_glob
from agentjournal.execution.lockfile import library_name
from agentjournal.execution.version import Version, read_version
from agentjournal.text.canonical import canonical_json, content_digest, parse_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.execution.observed import Observed

__all__ = ["Condition", "evaluate", "facts_to_keep", "note", "read_condition"]

NOT_EVALUATED = "not evaluated here"
_LIBRARY = re.compile(r"library\s+(\S+)\s*>=\s*(\S+)", re.IGNORECASE)
_DATE = re.compile(r"date\s+(\d{4}-\d\d-\d\d)", re.IGNORECASE)
_PATH = re.compile(r"path\s+(\S.*?)\s+changes", re.IGNORECASE)


@dataclass(frozen=True)
class Library:
    """Holds where the lock files name this version of the library or a newer one."""

    name: str
    version: Version


@dataclass(frozen=True)
class Day:
    """Holds from this day on, in UTC."""

    day: date


@dataclass(frozen=True)
class Paths:
    """Holds where the files that match differ from what was kept when the option was ruled out."""

    glob: str


Condition = Library | Day | Paths


def read_condition(text: str) -> Condition | None:
    """Read one of the three forms; None for free text."""
    text = text.strip()
    if found := _LIBRARY.fullmatch(text):
        version = read_version(found[2])
        return Library(library_name(found[1]), version) if version else None
    if found := _DATE.fullmatch(text):
        try:
            return Day(date.fromisoformat(found[1]))
        except ValueError:
            return None
    if found := _PATH.fullmatch(text):
        return Paths(found[1])
    return None


def evaluate(condition: Condition, kept: str | None, observed: Observed, now: str) -> bool | None:
    """Say whether the condition holds; None where the facts for it are missing.

    `kept` is what `facts_to_keep` gave when the item was written, `now` the reading clock.
    """
    match condition:
        case Library(name, version):
            return _holds_library(name, version, observed.lock_versions)
        case Day(day):
            return now[:10] >= day.isoformat()
        case Paths(glob):
            if observed.blobs is None or kept is None:
                return None
            return _digest(glob, observed.blobs) != _kept_digest(kept)
        case _:
            assert_never(condition)


def facts_to_keep(reopen_if: str, blobs: Mapping[str, str] | None) -> str | None:
    """Give what has to be stored beside an item so that its condition can be evaluated later.

    It is canonical JSON of bounded size, None where the form needs nothing or nobody looked.
    """
    condition = read_condition(reopen_if)
    if not isinstance(condition, Paths) or blobs is None:
        return None
    return canonical_json({"blobs": _digest(condition.glob, blobs)})


def note(reopen_if: str | None, kept: str | None, observed: Observed, now: str) -> str:
    """Say in a few words when the item may be reopened; empty where nothing was said."""
    if not reopen_if:
        return ""
    shown = quoted_line(reopen_if)
    condition = read_condition(reopen_if)
    if condition is None:
        return f"reopen if: {shown}"
    match evaluate(condition, kept, observed, now):
        case True:
            return f"may be reopened: {shown}"
        case False:
            return f"reopen if: {shown}"
        case None:
            return f"reopen if: {shown} ({NOT_EVALUATED})"


def _holds_library(name: str, wanted: Version, locked: Mapping[str, str] | None) -> bool | None:
    if locked is None:
        return None
    here = read_version(locked.get(name, ""))
    return here is not None and here >= wanted


def _kept_digest(kept: str) -> object:
    facts = parse_json(kept)
    return facts.get("blobs") if isinstance(facts, dict) else None


def _digest(glob: str, blobs: Mapping[str, str]) -> str:
    """Give one digest of every file that matches: a wide glob keeps no more than a narrow one."""
    matches = read_glob(glob).matches
    return content_digest([[path, blobs[path]] for path in sorted(filter(matches, blobs))])
