"""The words in which a field's rule is written once and checked wherever a record comes from."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, Protocol

from agentjournal.errors import Fault, InputError
from agentjournal.text.bounded import size
from agentjournal.text.canonical import MAX_INTEGER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = [
    "FAULTS_SHOWN",
    "Instant",
    "Lines",
    "Many",
    "Pattern",
    "Rule",
    "Shape",
    "Text",
    "Whole",
    "Word",
    "described",
    "missing",
    "read_instant",
    "refuse",
]

FAULTS_SHOWN = 60
SHOWN = 60  # characters of a refused value

Lines = Literal["one", "few", "free", "log"]
_REFUSED: Mapping[Lines, re.Pattern[str]] = {
    "one": re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\ud800-\udfff]"),
    "few": re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]"),
    "free": re.compile("[\x00\ud800-\udfff]"),
    "log": re.compile("(?!)"),
}
_CHARACTERS: Mapping[Lines, str] = {
    "one": "is one line without control characters",
    "few": "holds no control characters but tab and line end",
    "free": "holds no NUL and no lone surrogates",
    "log": "",
}


class Rule(Protocol):
    """Says what is wrong with one value; nothing where it is right."""

    def faults(self, field: str, value: object) -> Iterator[Fault]:
        """Give every fault of the value that stands at `field`."""
        ...


def described(value: object) -> str:
    """Say in a few ASCII characters what was given."""
    match value:
        case None:
            return "nothing"
        case bool() | int() | float():
            return json.dumps(value)[:40]
        case str():
            shown = json.dumps(value)
            return shown if len(shown) <= SHOWN else f"{len(value)} characters"
        case list() | tuple():
            return f"a list of {len(value)}"
        case dict():
            return f"an object with {len(value)} keys"
        case _:
            return f"a {type(value).__name__}"


@dataclass(frozen=True, kw_only=True)
class Text:
    """A text of at most `cap` characters (or bytes).

    `lines` says how strict it is: `one` line without control characters (a tab is fine), `few` may
    hold line ends too, `free` refuses only NUL and lone surrogates, `log` refuses nothing.
    """

    cap: int
    unit: Literal["characters", "bytes"] = "characters"
    lines: Lines = "free"
    remedy: str = "Shorten it; details belong in `log`."

    def faults(self, field: str, value: object) -> Iterator[Fault]:
        """Give every fault of the value that stands at `field`."""
        if not isinstance(value, str):
            yield Fault(field=field, rule="is a text", got=described(value), remedy="Quote it.")
            return
        if value and not value.strip() and self.lines != "log":
            remedy = "Say it, or leave it out."
            rule = "is more than white space"
            yield Fault(field=field, rule=rule, got=described(value), remedy=remedy)
        given = size(value) if self.unit == "bytes" else len(value)
        if given > self.cap:
            rule = f"at most {self.cap} {self.unit}"
            yield Fault(field=field, rule=rule, got=f"{given} {self.unit}", remedy=self.remedy)
        if broken := _REFUSED[self.lines].search(value):
            yield Fault(
                field=field,
                rule=_CHARACTERS[self.lines],
                got=f"U+{ord(broken[0]):04X} at character {broken.start() + 1}",
                remedy="Remove it or write it as an escape.",
            )


@dataclass(frozen=True)
class Pattern:
    """A short text of one form, given as a regular expression that has to match it whole."""

    form: str
    rule: str
    remedy: str
    is_secret: bool = False

    def faults(self, field: str, value: object) -> Iterator[Fault]:
        """Give every fault of the value that stands at `field`."""
        if not isinstance(value, str) or not re.fullmatch(self.form, value, re.ASCII):
            got = "another form" if self.is_secret else described(value)
            yield Fault(field=field, rule=self.rule, got=got, remedy=self.remedy)


@dataclass(frozen=True)
class Word:
    """One word of a closed list."""

    words: tuple[str, ...]

    def faults(self, field: str, value: object) -> Iterator[Fault]:
        """Give every fault of the value that stands at `field`."""
        if value not in self.words:
            listed = ", ".join(self.words)
            remedy = f"Use one of: {listed}."
            yield Fault(field=field, rule="is one known word", got=described(value), remedy=remedy)


@dataclass(frozen=True)
class Whole:
    """A whole number from 0 to 2^53."""

    def faults(self, field: str, value: object) -> Iterator[Fault]:
        """Give every fault of the value that stands at `field`."""
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_INTEGER:
            remedy = "Leave it out where it was not measured."
            rule = "is a whole number from 0 to 2^53"
            yield Fault(field=field, rule=rule, got=described(value), remedy=remedy)


@dataclass(frozen=True)
class Instant:
    """A time with its offset, as ISO 8601."""

    def faults(self, field: str, value: object) -> Iterator[Fault]:
        """Give every fault of the value that stands at `field`."""
        if read_instant(value) is None:
            remedy = "Write it as 2026-01-31T12:00:00Z."
            yield Fault(field=field, rule="is a UTC time", got=described(value), remedy=remedy)


def read_instant(value: object) -> datetime | None:
    """Read a time that says its offset, in UTC; None where it is none."""
    try:
        read = datetime.fromisoformat(value) if isinstance(value, str) else None
        return read.astimezone(UTC) if read is not None and read.tzinfo else None
    except (ValueError, OverflowError):  # the latter where UTC's calendar has no such day
        return None


@dataclass(frozen=True, kw_only=True)
class Many:
    """A list of `least` to `most` values that all follow one rule."""

    of: Rule
    most: int
    least: int = 0

    def faults(self, field: str, value: object) -> Iterator[Fault]:
        """Give every fault of the list and of its items."""
        if not isinstance(value, list | tuple):
            remedy = "Write a list, also for one item."
            yield Fault(field=field, rule="is a list", got=described(value), remedy=remedy)
            return
        if not self.least <= len(value) <= self.most:
            bounds = f"{self.least} to {self.most}" if self.least else f"at most {self.most}"
            remedy = "Keep those that the next worker needs."
            yield Fault(
                field=field, rule=f"{bounds} items", got=f"{len(value)} items", remedy=remedy
            )
        for place, item in enumerate(value[: self.most]):
            yield from self.of.faults(f"{field}[{place}]", item)


@dataclass(frozen=True)
class Shape:
    """An object with known keys, some of them required."""

    fields: Mapping[str, Rule]
    required: frozenset[str] = field(default_factory=frozenset)

    def faults(self, field: str, value: object) -> Iterator[Fault]:
        """Give every fault of the object: keys missing, unknown ones, and of the values."""
        if not isinstance(value, dict):
            remedy = f"Write an object with: {', '.join(self.fields)}."
            yield Fault(field=field, rule="is an object", got=described(value), remedy=remedy)
            return
        dot = f"{field}." if field else ""
        for name, rule in self.fields.items():
            if value.get(name) not in (None, ""):
                yield from rule.faults(dot + name, value[name])
            elif name in self.required:
                yield missing(dot + name, value.get(name))
        for key in value:
            if key not in self.fields:
                yield self._unknown(dot, key)

    def _unknown(self, dot: str, key: object) -> Fault:
        return Fault(
            field=dot + json.dumps(str(key))[1:-1][:SHOWN],
            rule="is no known key",
            got="an unknown key",
            remedy=f"Known keys: {', '.join(self.fields)}.",
        )


def missing(field: str, value: object = None, *, rule: str = "is required") -> Fault:
    """Give the fault of a field that has to be there and is not."""
    return Fault(field=field, rule=rule, got=described(value), remedy=f"Give `{field}`.")


def refuse(what: str, faults: Sequence[Fault], *, next: str = "") -> None:  # noqa: A002 - as in errors
    """Raise one error that names every fault; do nothing where there is none.

    Raises:
        InputError: at least one fault; past 60 the rest is counted.
    """
    if not faults:
        return
    shown = tuple(faults[:FAULTS_SHOWN])
    if rest := len(faults) - len(shown):
        more = Fault(field="...", rule="and more", got=f"{rest} faults", remedy="Fix these first.")
        shown = (*shown, more)
    count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
    raise InputError(f"{what} was refused: {count}, nothing was stored.", faults=shown, next=next)
