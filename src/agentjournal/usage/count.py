"""Reads single counts out of what a server answered, keeping absent apart from zero."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agentjournal.text.visible import one_line

__all__ = ["Counts", "added", "inner", "preferred", "word"]

_LARGEST = 2**53 - 1
_WORD_BYTES = 200


@dataclass
class Counts:
    """The counts of one native object; what is no count is noted in `faults` and left out."""

    source: Mapping[str, object]
    faults: list[str] = field(default_factory=list)

    def one(self, *path: str) -> int | None:
        """Give the count at that path; absent, null or unreadable is None."""
        value: object = self.source
        for name in path:
            if not isinstance(value, Mapping):
                return None
            value = value.get(name)
        if value is None:
            return None
        count = _whole(value)
        if count is None:
            self.faults.append(f"{'.'.join(path)} is no count: {one_line(repr(value), 40)}")
        return count

    def first(self, *paths: tuple[str, ...]) -> int | None:
        """Give the first count that is there."""
        return next((count for path in paths if (count := self.one(*path)) is not None), None)


def preferred(*counts: int | None) -> int | None:
    """Give the first count that is not zero, else zero where one was measured, else None."""
    found = [count for count in counts if count is not None]
    return next((count for count in found if count), found[0] if found else None)


def added(*counts: int | None) -> int | None:
    """Add the counts that are there; None where none is."""
    found = [count for count in counts if count is not None]
    return sum(found) if found else None


def inner(value: object, *path: str) -> Mapping[str, object]:
    """Give the mapping at that path, or an empty one."""
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def word(value: object) -> str | None:
    """Give a name that a server sent as one short visible line, or None where it is blank."""
    return one_line(value, _WORD_BYTES) or None if isinstance(value, str) else None


def _whole(value: object) -> int | None:
    match value:
        case bool():
            return None
        case int():
            return value if abs(value) <= _LARGEST else None
        case float() if value.is_integer() and abs(value) <= _LARGEST:
            return int(value)
        case _:
            return None
