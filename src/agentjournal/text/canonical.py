"""One spelling for every value: canonical JSON, its digest, and a strict parser."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import NoReturn

from agentjournal.errors import Fault, InputError

__all__ = [
    "MAX_DEPTH",
    "MAX_INTEGER",
    "canonical_json",
    "content_digest",
    "parse_json",
    "sha256_hex",
]

MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 64


def canonical_json(value: object) -> str:
    r"""Write the value in its only spelling: equal values give equal text.

    Keys by code point, no spaces, nothing escaped but `"`, `\` and control characters; integers
    within 2^53, nesting up to 64 levels; tuples count as lists.

    Raises:
        InputError: a float, a NUL, a lone surrogate, a key that is no string, any other type;
            the fault names the place inside the value.
    """
    return json.dumps(
        _checked(value, "$", 0), sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )


def sha256_hex(text: str) -> str:
    """Give the lower-case hex SHA-256 of the text's UTF-8 bytes."""
    return hashlib.sha256(text.encode()).hexdigest()


def content_digest(value: object) -> str:
    """Give the SHA-256 of the value's canonical JSON."""
    return sha256_hex(canonical_json(value))


def parse_json(text: str) -> object:
    """Read JSON that can be read in one way only.

    Raises:
        InputError: no JSON, a key given twice, NaN or an infinity, or nested too deeply to read.
    """
    try:
        return json.loads(
            text, object_pairs_hook=_unique, parse_constant=_no_number, parse_float=_finite
        )
    except RecursionError as error:
        raise _refusal("$", "is nested too deeply", "the text", "Flatten it.") from error
    except ValueError as error:
        raise _refusal(
            "$", "is not valid JSON", str(error), "Check the text at that place."
        ) from error


def _checked(value: object, place: str, depth: int) -> object:  # noqa: RET503 - _refuse never returns
    if depth > MAX_DEPTH:
        _refuse(place, f"may be nested at most {MAX_DEPTH} levels deep", "more", "Flatten it.")
    match value:
        case None | bool():
            return value
        case int():
            return _checked_integer(value, place)
        case str():
            return _checked_text(value, place)
        case list() | tuple():
            return [_checked(item, f"{place}[{at}]", depth + 1) for at, item in enumerate(value)]
        case Mapping():
            return {
                _checked_key(key, place): _checked(item, f"{place}.{key}", depth + 1)
                for key, item in value.items()
            }
        case _:
            _refuse(
                place,
                "must be text, a whole number, true, false, null, a list or a mapping",
                type(value).__name__,
                "Give fractions as text or in a smaller unit.",
            )


def _checked_integer(value: int, place: str) -> int:
    if not -MAX_INTEGER <= value <= MAX_INTEGER:
        _refuse(place, "must lie within 2^53", f"{value.bit_length()} bits", "Give it as text.")
    return int(value)


def _checked_text(value: str, place: str) -> str:
    if "\0" in value:
        _refuse(place, "may hold no NUL", "U+0000", "Remove it.")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        found = f"U+{ord(value[error.start]):04X}"
        _refuse(
            place, "may hold no lone surrogate", found, "Decode the text with errors='replace'."
        )
    return value


def _checked_key(key: object, place: str) -> str:
    if not isinstance(key, str):
        _refuse(place, "may have only text as keys", type(key).__name__, "Use text.")
    return _checked_text(key, f"{place} (a key)")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            _refuse(key, "is given twice", "two values", "Keep one of them.")
        found[key] = value
    return found


def _no_number(name: str) -> NoReturn:
    _refuse("$", "may hold only finite numbers", name, "Use null.")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        _no_number(digits)
    return number


def _refuse(field: str, rule: str, got: str, remedy: str) -> NoReturn:
    raise _refusal(field, rule, got, remedy)


def _refusal(field: str, rule: str, got: str, remedy: str) -> InputError:
    fault = Fault(field=field, rule=rule, got=got, remedy=remedy)
    return InputError(f"This value cannot be stored: {field} {rule}.", faults=(fault,), next=remedy)
