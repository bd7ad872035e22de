"""A copy of the store that counts because it was read back."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from agentjournal.errors import ConflictError, DamagedError, StoreUnavailableError
from agentjournal.log.seal import seal_pending
from agentjournal.log.verify import Report, inspect
from agentjournal.storage.sqlite import Sqlite

if TYPE_CHECKING:
    from agentjournal.log.log import Log

__all__ = ["backup"]


def backup(log: Log, target: str) -> Report:
    """Write a copy of a SQLite store to a new file and give the report of checking all of it.

    The file appears under its name only when it is whole and sound.

    Raises:
        ConflictError: the file exists already; it was left alone.
        StoreUnavailableError: it cannot be written there.
        DamagedError: the copy is not sound, because the store is not; it was removed.
    """
    path = Path(target).absolute()
    _refuse_existing(path)
    seal_pending(log, minimum=1)
    try:
        with TemporaryDirectory(prefix=".backup-", dir=path.parent) as folder:
            copy = Path(folder) / "log.db"
            report = _checked_copy(log, copy)
            _give_name(copy, path)
    except OSError as error:
        raise StoreUnavailableError(f"{path} cannot be written: {error.strerror}.") from error
    return report


def _checked_copy(log: Log, copy: Path) -> Report:
    log.database.backup(str(copy))
    with closing(Sqlite(str(copy), allow_network_fs=True)) as database:
        report = inspect(log.on(database))
    if not report.is_good:
        raise DamagedError(
            f"The copy is damaged as the store is: {report.faults[0]}.",
            next="Run `agentjournal db verify`, then go back to an older backup.",
        )
    return report


def _give_name(copy: Path, path: Path) -> None:
    try:
        os.link(copy, path)
    except FileExistsError:
        _refuse_existing(path)
    except OSError:  # this file system has no links
        _refuse_existing(path)
        copy.rename(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _refuse_existing(path: Path) -> None:
    if os.path.lexists(path):
        raise ConflictError(f"{path} exists already.", next="Name a new file.")
