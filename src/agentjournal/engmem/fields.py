"""The fields of a document's front matter, taken one by one; what cannot be taken is named."""

from __future__ import annotations

import math
import re
from datetime import date
from typing import TYPE_CHECKING, Literal, get_args

from agentjournal.frozen import frozen
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Fields", "NavigationMiss", "Status"]

Status = Literal["draft", "active", "superseded"]

ITEMS = 200  # of a list that are read
ID = 120  # characters

_STATUSES: Mapping[str, Status] = {each: each for each in get_args(Status)}
_BOOLEANS = dict.fromkeys(("true", "yes", "on"), True) | dict.fromkeys(
    ("false", "no", "off"), False
)
_MODES = ("daily", "research")
_DAY = re.compile(r"(\d{4}-\d\d-\d\d)(?:[T ].*)?", re.ASCII)
_NUMBER = re.compile(r"[+-]?\d{1,9}(\.\d{0,9})?", re.ASCII)
_COMMIT = re.compile("[0-9a-fA-F]{7,64}")
_SHOWN = 60  # bytes of a faulty value that a note repeats


@frozen
class NavigationMiss:
    """A document that a search should have found, and the query that did not find it."""

    doc: str
    query: str


class Fields:
    """Takes fields one by one, and notes in words what could not be taken as stated.

    `faults` are values that were lost, `warnings` those that were read in another way than written.
    """

    def __init__(self, stated: Mapping[str, object]) -> None:
        self.stated = stated
        self.faults: list[str] = []
        self.warnings: list[str] = []

    def id(self) -> str:
        """Give the id, or nothing where it is missing, has several lines, or is too long."""
        value = self.stated.get("id")
        if isinstance(value, str) and "\n" in value:
            self._fault("id contains embedded newline(s)", repr(value))
            return ""
        text = self.line("id")
        if len(text) <= ID:
            return text
        self._fault(f"id has more than {ID} characters", text)
        return ""

    def line(self, name: str) -> str:
        """Give a text as one line, empty where none is stated."""
        match self.stated.get(name):
            case None:
                return ""
            case str(value):
                return " ".join(value.split())
            case other:
                self._fault(f"{name} is no single line", other)
                return ""

    def told(self, name: str) -> str:
        """Give a field that nothing depends on, whatever was written there, as one line."""
        value = self.stated.get(name)
        return "" if value is None else " ".join(_told(value).split())

    def texts(self, name: str) -> tuple[str, ...]:
        """Give a list of texts; a mapping in its place is a fault."""
        match self.stated.get(name):
            case None:
                return ()
            case str(value):
                one = [value.strip()] if value.strip() else []
                self._warn(
                    f"{name} is a single value, not a list — treated as a one-element list", one
                )
                return tuple(one)
            case list(values):
                return self._items(name, values)
            case other:
                self._fault(f"{name} is no list of texts", other)
                return ()

    def repos(self) -> tuple[str, ...] | None:
        """Give the linked repositories, None where they cannot be known."""
        value = self.stated.get("repos")
        if value is None or isinstance(value, str | list):
            return self.texts("repos")
        self._warn("repos is not a list, so its repository links are unknown", value)
        return None

    def day(self, name: str) -> str:
        """Give a date as `YYYY-MM-DD`, empty where none that exists is stated."""
        value = self.line(name)
        match = _DAY.fullmatch(value)
        try:
            if match:
                return date.fromisoformat(match[1]).isoformat()
        except ValueError:
            pass
        if value:
            self._fault(f"{name} is no date", value)
        return ""

    def status(self) -> Status:
        """Give the status; what is none of the three counts as active."""
        value = self.line("status") or "active"
        if status := _STATUSES.get(value.casefold()):
            return status
        self._fault("status is none of draft, active, superseded", value)
        return "active"

    def flag(self, name: str) -> bool:
        """Give true or false; anything else is false."""
        value = self.told(name)
        if not value:
            return False
        if (read := _BOOLEANS.get(value.casefold())) is not None:
            return read
        self._warn(f"{name} is not true/false — treated as false", value)
        return False

    def whole(self, name: str) -> int | None:
        """Give a whole number; a fraction is cut, anything else was never measured."""
        value = self.stated.get(name)
        if value is None or value == "":
            return None
        match = _NUMBER.fullmatch(value.strip()) if isinstance(value, str) else None
        if match is None:
            self._fault(f"{name} is not a number", value)
            return None
        if match[1]:
            self._warn(f"{name} is not an integer — read as {math.trunc(float(match[0]))}", value)
        return math.trunc(float(match[0]))

    def mode(self) -> str | None:
        """Give the mode of the session; an unknown one is kept, and warned of."""
        value = self.told("mode").casefold()
        if value and value not in _MODES:
            self._warn("mode is none of daily, research — reviews leave this document out", value)
        return value or None

    def baseline_unavailable(self) -> str | None:
        """Give why there is no baseline; stated without a reason it still says so."""
        match self.stated.get("baseline_unavailable"):
            case None:
                return None
            case str(value) if value.strip():
                return " ".join(value.split())
            case other:
                self._warn("baseline_unavailable is not a reason — (no reason stated)", other)
                return "(no reason stated)"

    def verified_at_commit(self) -> str:
        """Give the commit that the text was true of; what is no text is unknown."""
        value = self.stated.get("verified_at_commit")
        if value is None or isinstance(value, str):
            return self.line("verified_at_commit")
        self._warn("verified_at_commit is not text — its anchor is unknown", value)
        return ""

    def verified_at(self) -> tuple[tuple[str, str], ...]:
        """Give pairs of repository and commit; the commit is empty where it cannot be known."""
        match self.stated.get("verified_at"):
            case None:
                return ()
            case dict(values):
                return tuple(self._anchors(values).items())
            case other:
                self._warn("verified_at is not a mapping of repository to commit", other)
                return ()

    def navigation_misses(self) -> tuple[NavigationMiss, ...]:
        """Give the documents that a search should have found; incomplete entries are left out."""
        value = self.stated.get("navigation_miss")
        if value is None:
            return ()
        if not isinstance(value, list):
            self._warn("navigation_miss is not a list — ignored", value)
            return ()
        return tuple(miss for each in value[:ITEMS] if (miss := self._miss(each)))

    def _items(self, name: str, values: list[object]) -> tuple[str, ...]:
        if len(values) > ITEMS:
            self._fault(f"{name} has more than {ITEMS} items, the others are not read", len(values))
        kept = [each for each in values[:ITEMS] if each is not None]
        if odd := next((each for each in kept if not isinstance(each, str)), None):
            self._warn(f"{name} holds an item that is not text — read as {_told(odd)!r}", odd)
        return tuple(text for each in kept if (text := _told(each).strip()))

    def _anchors(self, values: dict[str, object]) -> dict[str, str]:
        anchors: dict[str, str] = {}
        for name, value in list(values.items())[:ITEMS]:
            commit = value.strip() if isinstance(value, str) else ""
            if not name.strip():
                self._warn("verified_at has an entry with no repository name — ignored", value)
                continue
            if value is not None and not _COMMIT.fullmatch(commit):
                self._warn(f"verified_at {name!r} is not a commit id", value)
            anchors.setdefault(name.strip(), commit)
        return anchors

    def _miss(self, entry: object) -> NavigationMiss | None:
        match entry:
            case {"doc": str(doc), "query": str(query)} if doc.strip() and query.strip():
                return NavigationMiss(doc.strip(), query.strip())
            case other:
                self._warn("navigation_miss entry needs both doc and query", other)
                return None

    def _fault(self, problem: str, value: object) -> None:
        self.faults.append(_note(problem, value))

    def _warn(self, problem: str, value: object) -> None:
        self.warnings.append(_note(problem, value))


def _note(problem: str, value: object) -> str:
    return f"{one_line(problem, 4 * _SHOWN)}: {one_line(str(value), _SHOWN)}"


def _told(value: object) -> str:
    """Give a nested value as a person would write it in one line."""
    match value:
        case dict():
            return ", ".join(f"{name}: {_told(each)}" for name, each in value.items())
        case list():
            return ", ".join(map(_told, value))
        case None:
            return ""
        case other:
            return str(other)
