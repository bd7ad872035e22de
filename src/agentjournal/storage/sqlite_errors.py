"""What SQLite reports, said in our errors."""

from __future__ import annotations

import contextlib
import errno
from typing import TYPE_CHECKING

import apsw

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

__all__ = ["store_error", "translated"]

_NEXT = {
    StoreBusyError: "Try again; if it stays so, look for the process that holds it.",
    StoreFullError: "Free some room on that device and try again: nothing was written.",
    StoreUnavailableError: "Look at the file, its folder and their permissions, then try again.",
    ConstraintError: "Nothing was written.",
    SchemaError: "Name another database, or update agent-journal.",
    DamagedError: "Stop writing, keep the file, run `agentjournal db verify`, restore a backup.",
    InputError: "Give a smaller value.",
}
_KINDS: tuple[tuple[type[apsw.Error], type[StoreError | InputError]], ...] = (
    (apsw.BusyError, StoreBusyError),
    (apsw.LockedError, StoreBusyError),
    (apsw.FullError, StoreFullError),
    (apsw.IOError, StoreUnavailableError),
    (apsw.CantOpenError, StoreUnavailableError),
    (apsw.ReadOnlyError, StoreUnavailableError),
    (apsw.PermissionsError, StoreUnavailableError),
    (apsw.NoMemError, StoreUnavailableError),
    (apsw.ConstraintError, ConstraintError),
    (apsw.NotADBError, SchemaError),
    (apsw.CorruptError, DamagedError),
    (apsw.TooBigError, InputError),
)


def store_error(error: apsw.Error, location: str) -> StoreError | InputError:
    """Give our error for SQLite's: a passing fault is never called damage."""
    kind = next((ours for theirs, ours in _KINDS if isinstance(error, theirs)), StoreError)
    text = str(error)
    if kind is StoreError and "no such table" in text:
        kind = SchemaError
    return kind(f"{text} ({location}).", next=_NEXT.get(kind, ""))


@contextlib.contextmanager
def translated(location: str) -> Iterator[None]:
    """Raise our errors for SQLite's and the file system's."""
    try:
        yield
    except apsw.Error as error:
        raise store_error(error, location) from error
    except UnicodeDecodeError as error:
        raise DamagedError(
            f"A stored text is not UTF-8 ({location}).", next=_NEXT[DamagedError]
        ) from error
    except OSError as error:
        kind = StoreFullError if error.errno == errno.ENOSPC else StoreUnavailableError
        where = error.filename or location
        raise kind(f"{error.strerror} ({where}).", next=_NEXT[kind]) from error
