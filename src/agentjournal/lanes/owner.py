"""Whose journal it is: the streams that hold the memory of an owner."""

from __future__ import annotations

from agentjournal.errors import Fault, InputError

__all__ = ["check_owner", "is_owner", "owner_name"]

_PARTS = {"lane": 1, "agent": 2, "item": 1}  # names that follow the first word


def is_owner(stream: str) -> bool:
    """Say whether a stream is the memory of an owner."""
    return bool(_names(stream))


def owner_name(stream: str) -> str:
    """Give the name under which the owner speaks: the last part of its stream.

    >>> owner_name("agent/shop/planner")
    'planner'

    Raises:
        InputError: it is no owner's stream.
    """
    check_owner(stream)
    return _names(stream)[-1]


def check_owner(stream: str) -> None:
    """Let the streams of owners through.

    Raises:
        InputError: it is another stream, or none.
    """
    if not is_owner(stream):
        fault = Fault(
            field="owner",
            rule="must be lane/NAME, agent/NAMESPACE/ID or item/ID",
            got=repr(stream[:80]),
            remedy="Name the owner in one of these forms.",
        )
        raise InputError(f"{stream[:80]!r} names no owner of a journal.", faults=(fault,))


def _names(stream: str) -> tuple[str, ...]:
    kind, _, rest = stream.partition("/")
    names = rest.split("/", _PARTS.get(kind, 1) - 1)
    is_whole = len(names) == _PARTS.get(kind) and all(name.strip() for name in names)
    return tuple(names) if is_whole else ()
