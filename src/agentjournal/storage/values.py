"""What may be bound to a statement: the same values, refused the same way, on both engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.errors import Fault, InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.storage.database import Value
    from agentjournal.storage.statement import Statement

__all__ = ["bound"]

_LARGEST = 2**63 - 1


def bound(statement: Statement, values: Mapping[str, Value]) -> dict[str, Value]:
    """Give the values of the statement's parameters, checked; booleans become 0 and 1.

    Raises:
        TypeError: a parameter has no value: a fault of ours, found by any test.
        InputError: a value that one of the engines cannot hold.
    """
    missing = statement.parameters - values.keys()
    if missing:
        raise TypeError(f"{statement.name}: no value for {', '.join(sorted(missing))}")
    return {name: _checked(name, values[name]) for name in statement.parameters}


def _checked(name: str, value: Value) -> Value:
    match value:
        case str():
            _check_text(name, value)
            return value
        case int():
            if not -_LARGEST - 1 <= value <= _LARGEST:
                raise _refusal(name, "must fit in 64 bits", str(value)[:40])
            return int(value)
        case bytes() | None:
            return value
        case _:
            raise _refusal(name, "must be text, an integer, bytes or nothing", type(value).__name__)


def _check_text(name: str, value: str) -> None:
    if "\x00" in value:
        raise _refusal(name, "must hold no NUL character", f"one at {value.index(chr(0))}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        at = f"U+{ord(value[error.start]):04X} at {error.start}"
        raise _refusal(name, "must hold no lone surrogate", at) from error


def _refusal(name: str, rule: str, got: str) -> InputError:
    fault = Fault(field=name, rule=rule, got=got, remedy="Give it without.")
    return InputError(f"{name} cannot be stored: it {rule} ({got}).", faults=(fault,))
