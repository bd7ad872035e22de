"""A change to one file of an agent program: decided on bytes first, then written whole."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.errors import InputError, StoreUnavailableError
from agentjournal.system.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["Change", "applied", "changed", "contents"]

LIMIT = 16 * 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class Change:
    """A file, what stood in it and what shall: None where there is no file."""

    path: Path
    before: bytes | None
    after: bytes | None
    mode: int = 0o644

    @property
    def is_needed(self) -> bool:
        """Say whether it would change anything."""
        return self.before != self.after


def contents(path: Path) -> bytes | None:
    """Read a file, through a link where it is one; None where there is none.

    Raises:
        InputError: it is no regular file, too large, or cannot be read.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise InputError(f"{path} is no regular file.", next="Move it away and try again.")
        with path.open("rb") as file:
            data = file.read(LIMIT + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}."
        raise InputError(message, next="Check its owner and permissions.") from error
    if len(data) > LIMIT:
        raise InputError(f"{path} is larger than {LIMIT} bytes.", next="It was left as it is.")
    return data


def changed(
    path: Path, edit: Callable[[bytes | None], bytes | None], *, mode: int = 0o644
) -> Change:
    """Decide how an edit changes a file; a refusal of the edit is told with the file's name.

    Raises:
        InputError: the file cannot be read, or the edit refuses its contents.
    """
    before = contents(path)
    try:
        return Change(path=path, before=before, after=edit(before), mode=mode)
    except InputError as error:
        message = f"{path} was left as it is: {error.message.rstrip('.')}."
        raise InputError(message, next="Mend or move that file, then run this again.") from error


def applied(change: Change) -> None:
    """Write the change through links, keeping the file's mode; a file that is only ours goes.

    Raises:
        InputError: the file changed since it was read.
        StoreError: it cannot be written.
    """
    if contents(change.path) != change.before:
        raise InputError(f"{change.path} changed meanwhile.", next="Run this again.")
    real = change.path.resolve()
    try:
        if change.after is None:
            real.unlink()
            return
        real.parent.mkdir(parents=True, exist_ok=True)
        mode = stat.S_IMODE(real.stat().st_mode) if real.exists() else change.mode
    except OSError as error:
        message = f"{change.path} cannot be written: {error.strerror}."
        raise StoreUnavailableError(message, next="Check its owner and permissions.") from error
    write_atomically(real, change.after, mode)
