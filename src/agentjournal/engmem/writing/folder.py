"""The open folder `sessions/` that a writer works in, and the document that stands in it."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.engmem.document import version_of
from agentjournal.engmem.scan import SESSIONS, why
from agentjournal.engmem.store import BYTES
from agentjournal.engmem.writing.refusal import WriteRefused, place_of
from agentjournal.errors import AgentJournalError, NotFoundError
from agentjournal.system.files import folder_inside, open_inside, store_error

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Current", "checked_size", "read_current", "sessions_of"]


@dataclass(frozen=True)
class Current:
    """A document's bytes as they are on disk, and the permissions of its file."""

    data: bytes
    mode: int

    @property
    def version(self) -> str:
        """Give the version that a writer has to name."""
        return version_of(self.data)


@contextlib.contextmanager
def sessions_of(root: Path) -> Iterator[int]:
    """Hold `sessions/` open for the block; whatever is done in it stays inside the store.

    Raises:
        NotFoundError: there is no such folder.
        WriteRefused: it is a link.
        StoreError: the system refused what was done in it.
    """
    with contextlib.ExitStack() as stack:
        folder = _opened(root, stack)
        try:
            yield folder
        except OSError as error:
            raise store_error(error, root / SESSIONS) from error


def read_current(root: Path, id_: str) -> Current:
    """Read the document of an id as it is now.

    Raises:
        WriteRefused: there is none, it is a link or no file, or it is too large.
    """
    try:
        descriptor = open_inside(root, place_of(id_))
    except NotFoundError as error:
        message = f"no document found for id {id_!r}: {place_of(id_)} does not exist."
        raise WriteRefused(message) from error
    except AgentJournalError as error:
        raise _linked(place_of(id_), error) from error
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(BYTES + 1)
        mode = os.fstat(descriptor).st_mode & 0o777
    return Current(checked_size(id_, data), mode)


def checked_size(id_: str, data: bytes) -> bytes:
    """Give the bytes of a document back where they are not more than anybody reads.

    Raises:
        WriteRefused: they are.
    """
    if len(data) > BYTES:
        message = f"{place_of(id_)} has more than {BYTES // 1024**2} MB — nothing was written."
        raise WriteRefused(message)
    return data


def _opened(root: Path, stack: contextlib.ExitStack) -> int:
    try:
        return stack.enter_context(folder_inside(root, SESSIONS))
    except NotFoundError as error:
        raise NotFoundError(
            f"store not found: {root / SESSIONS} does not exist (run `engmem install` to create "
            "the store, or `engmem store show` to see which setting chose this path)"
        ) from error
    except AgentJournalError as error:
        raise _linked(SESSIONS, error) from error


def _linked(relative: str, error: AgentJournalError) -> WriteRefused:
    said = why(relative, error).replace(
        "engmem reads only files inside the store, so nothing behind it was read",
        "engmem writes only inside the store, so nothing was written",
    )
    return WriteRefused(said if said.startswith(relative) else f"{relative}: {said}")
