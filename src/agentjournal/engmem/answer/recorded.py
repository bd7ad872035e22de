"""Keeping what a search was: one line of telemetry, in a file that is set aside when it is large."""

from __future__ import annotations

import fcntl
import os

from agentjournal.engmem.writing.ledger_line import append_line
from agentjournal.errors import AgentJournalError
from agentjournal.system.files import folder_inside
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["FULL", "TELEMETRY", "record_search"]

TELEMETRY = "telemetry.jsonl"
FULL = 8 * 1024 * 1024  # bytes; what is read again and again stays small

_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def record_search(store_root: Path, row: Mapping[str, object], *, full: int = FULL) -> str | None:
    """Append a search to the telemetry of a store; give the reason where that failed.

    A file of `full` bytes or more is first set aside as `telemetry-<moment>.jsonl`, of which
    summaries read every one.
    """
    try:
        with folder_inside(store_root) as folder:
            _set_aside(folder, str(row["ts"]), full)
    except (AgentJournalError, OSError):
        pass  # it stays one file; whether a line can be written is found out next
    return append_line(store_root, TELEMETRY, row)


def _set_aside(folder: int, moment: str, full: int) -> None:
    """Rename the file, whoever comes first: it is locked, and still the one of that name.

    Nobody loses a line: who has the file open writes on to the end of the renamed one.
    """
    if os.stat(TELEMETRY, dir_fd=folder, follow_symlinks=False).st_size < full:
        return
    descriptor = os.open(TELEMETRY, _FLAGS, dir_fd=folder)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        now = os.stat(TELEMETRY, dir_fd=folder, follow_symlinks=False)
        if os.path.samestat(os.fstat(descriptor), now):
            stem = "".join(each for each in moment[:19] if each.isalnum())
            aside = f"telemetry-{stem}.jsonl"
            os.link(TELEMETRY, aside, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
            os.unlink(TELEMETRY, dir_fd=folder)
    finally:
        os.close(descriptor)
