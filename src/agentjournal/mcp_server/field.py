"""One argument of a tool: what its schema says, and what is refused when it is called."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from agentjournal.engmem.role import ROLES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["ArgumentError", "Field", "read_arguments", "schema_of"]

Kind = Literal["text", "role", "names", "name", "flag", "count", "seconds"]


class ArgumentError(Exception):
    """An argument breaks the tool's contract: the call is answered as invalid."""


@dataclass(frozen=True, kw_only=True)
class Field:
    """An argument by name; `is_required` ones must not be blank, unless the call itself says so."""

    name: str
    kind: Kind = "text"
    told: str = ""
    is_required: bool = False
    is_checked_later: bool = False
    words: tuple[str, ...] = ()

    @property
    def schema(self) -> dict[str, object]:
        """Give the JSON Schema of the argument."""
        told = {"description": self.told} if self.told else {}
        return {**_SCHEMAS[self.kind], **({"enum": list(self.words)} if self.words else {}), **told}


_SCHEMAS: dict[Kind, dict[str, object]] = {
    "text": {"type": "string"},
    "role": {"type": "string", "enum": sorted(ROLES)},
    "names": {"type": "array", "items": {"type": "string"}, "minItems": 1},
    "name": {"type": "string"},
    "flag": {"type": "boolean"},
    "count": {"type": "integer", "minimum": 1},
    "seconds": {"type": "number", "exclusiveMinimum": 0},
}


def schema_of(fields: Sequence[Field]) -> dict[str, object]:
    """Give the JSON Schema of a tool's arguments."""
    return {
        "type": "object",
        "properties": {field.name: field.schema for field in fields},
        "required": [field.name for field in fields if field.is_required],
    }


def read_arguments(fields: Sequence[Field], given: Mapping[str, object]) -> dict[str, object]:
    """Check the arguments and give those that say something; null and false count as absent.

    Raises:
        ArgumentError: one breaks its rule.
    """
    read = {}
    for field in fields:
        value = given.get(field.name)
        is_demanded = field.is_required and not field.is_checked_later
        if value is None and not is_demanded:
            continue
        fault = _fault(field, value, is_demanded=is_demanded)
        if fault is not None:
            raise ArgumentError(f"'{field.name}' {fault}")
        read[field.name] = value
    said = {name: value for name, value in read.items() if value is not False and value != ""}
    scopes = [name for name in ("repo", "unscoped", "all_repos") if name in _scopes(said)]
    if len(scopes) > 1:
        both = f"'{scopes[0]}' and '{scopes[1]}'"
        raise ArgumentError(f"{both} are different scopes \u2014 pass one")
    return said


def _scopes(said: Mapping[str, object]) -> set[str]:
    return {"repo" if name == "repos" else name for name in said}


def _fault(field: Field, value: object, *, is_demanded: bool) -> str | None:
    if field.kind == "text" and is_demanded:
        return None if _is_said(value) else "must be a non-empty string"
    holds, told = _RULES[field.kind]
    return None if holds(value) else told


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _is_duration(value: object) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and 0 < cast("float", value) < math.inf


def _are_said(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(_is_said(each) for each in value)


def _is_said(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


_RULES: dict[Kind, tuple[Callable[[object], bool], str]] = {
    "text": (lambda value: isinstance(value, str), "must be a string"),
    "role": (lambda value: value in ROLES, f"must be one of: {', '.join(sorted(ROLES))}"),
    "names": (_are_said, "needs at least one repository name, none of them blank"),
    "name": (_is_said, "needs a repository name"),
    "flag": (lambda value: isinstance(value, bool), "must be true or false"),
    "count": (_is_whole, "must be an integer of at least 1"),
    "seconds": (_is_duration, "must be a number above 0"),
}
