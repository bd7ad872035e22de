"""What PostgreSQL reports, said in our errors."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import psycopg

from agentjournal.errors import (
    ConstraintError,
    DamagedError,
    InputError,
    SchemaError,
    StoreBusyError,
    StoreError,
    StoreFullError,
    StoreUnavailableError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["is_lost", "store_error", "translated"]

_NEXT = {
    StoreBusyError: "Try again; if it stays so, look for the session that holds it.",
    StoreFullError: "Free some room on the server and try again: nothing was written.",
    StoreUnavailableError: "Look at the server and the URL, then try again.",
    ConstraintError: "Nothing was written.",
    SchemaError: "Name another schema, or update agent-journal.",
    DamagedError: "Stop writing and restore a backup.",
    InputError: "Give another value.",
}
_STATES: dict[str, type[StoreError | InputError]] = {
    "22": InputError,
    "23": ConstraintError,
    "25": StoreUnavailableError,  # a read-only server
    "28": StoreUnavailableError,
    "3D": StoreUnavailableError,
    "3F": SchemaError,
    "40": StoreBusyError,
    "42": SchemaError,
    "42501": StoreUnavailableError,  # a privilege is missing
    "53": StoreUnavailableError,
    "53100": StoreFullError,
    "54": InputError,
    "55P03": StoreBusyError,
    "57": StoreUnavailableError,
    "57014": StoreBusyError,  # the server's own time limit
    "58": StoreUnavailableError,
    "58030": StoreUnavailableError,
    "08": StoreUnavailableError,
    "XX001": DamagedError,
    "XX002": DamagedError,
}


def store_error(error: psycopg.Error, location: str) -> StoreError | InputError:
    """Give our error for PostgreSQL's, by its SQLSTATE; none means that the server is not there."""
    kind: type[StoreError | InputError] = StoreError
    if error.sqlstate is not None:
        kind = _STATES.get(error.sqlstate) or _STATES.get(error.sqlstate[:2], StoreError)
    elif isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        kind = StoreUnavailableError
    text = error.diag.message_primary or " ".join(str(error).split())
    return kind(f"{text} ({location}).", next=_NEXT.get(kind, ""))


def is_lost(error: psycopg.Error, connection: psycopg.Connection[object]) -> bool:
    """Say whether the server may have done what it did not answer."""
    state = error.sqlstate
    return connection.closed or state is None or state[:2] in {"08", "57"}


@contextlib.contextmanager
def translated(location: str) -> Iterator[None]:
    """Raise our errors for PostgreSQL's."""
    try:
        yield
    except psycopg.Error as error:
        raise store_error(error, location) from error
