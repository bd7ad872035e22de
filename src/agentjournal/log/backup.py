"""A copy of the store that counts because it was read back."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from agentjournal.errors import DamagedError
from agentjournal.log.seal import seal_pending
from agentjournal.log.verify import Report, inspect
from agentjournal.storage.sqlite import Sqlite

if TYPE_CHECKING:
    from agentjournal.log.log import Log

__all__ = ["backup"]


def backup(log: Log, target: str) -> Report:
    """Write a copy of a SQLite store to a new file, check all of the copy, and give the report.

    Raises:
        ConflictError: the file exists already.
        DamagedError: the copy is not sound, because the store is not; it was removed.
    """
    seal_pending(log, minimum=1)
    log.database.backup(target)
    with closing(Sqlite(target)) as copy:
        report = inspect(log.on(copy))
    if not report.is_good:
        Path(target).unlink()
        raise DamagedError(
            f"The copy {target} is damaged as the store is: {report.faults[0]}.",
            next="Run `agentjournal db verify`, then go back to an older backup.",
        )
    return report
