"""One line more in a ledger of the store: telemetry, costs, feedback."""

from __future__ import annotations

import errno
import json
import os
import stat

from agentjournal.errors import AgentJournalError
from agentjournal.system.files import folder_inside
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["append_line"]

_LINKED = (
    "{} passes through a link or junction -- engmem writes only inside the store, so nothing was "
    "written"
)
_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def append_line(store_root: Path, name: str, mapping: Mapping[str, object]) -> str | None:
    """Append the mapping as one line of JSON in a single write; give the reason where it failed.

    A last line that a crash left unfinished is closed first. The file is private to the user, and
    is never reached through a link. Reasons of the system are its own words (`os.strerror`).
    """
    line = json.dumps(mapping).encode() + b"\n"
    try:
        with folder_inside(store_root) as folder:
            descriptor = os.open(name, _FLAGS, 0o600, dir_fd=folder)
            try:
                return _append(descriptor, line)
            finally:
                os.close(descriptor)
    except AgentJournalError as error:
        return error.message
    except OSError as error:
        if error.errno == errno.ELOOP:
            return _LINKED.format(name)
        return error.strerror or type(error).__name__


def _append(descriptor: int, line: bytes) -> str | None:
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        return "not a regular file"
    is_torn = found.st_size > 0 and os.pread(descriptor, 1, found.st_size - 1) != b"\n"
    data = b"\n" + line if is_torn else line
    written = os.write(descriptor, data)
    return None if written == len(data) else f"only {written} of {len(data)} bytes were written"
