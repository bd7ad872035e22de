"""Snapshots that leave the process: small enough for every reader, or refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.errors import Fault, InputError
from agentjournal.journal.floor import HARD_BYTES
from agentjournal.journal.wire import byte_length

if TYPE_CHECKING:
    from agentjournal.journal.journal import Journal


def export_snapshot(journal: Journal) -> str:
    """Give the journal's snapshot as JSON, of at most 256 KiB; what is longer is never cut.

    Raises:
        InputError: it would be longer; names its size and the cap.
    """
    text = journal.to_json()
    size = byte_length(text)
    if size > HARD_BYTES:
        fault = Fault(
            field="snapshot",
            rule=f"at most {HARD_BYTES} bytes",
            got=f"{size} bytes",
            remedy="Consolidate the journal, or move its floor.",
        )
        raise InputError(f"The snapshot of {journal.owner} is too large.", faults=(fault,))
    return text
