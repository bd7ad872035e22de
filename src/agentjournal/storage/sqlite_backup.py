"""A consistent copy of a SQLite file: made by SQLite, never by copying a live one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from agentjournal.errors import ConflictError, StoreUnavailableError
from agentjournal.storage.sqlite_errors import translated
from agentjournal.storage.sqlite_new import set_journal, sync_folder

if TYPE_CHECKING:
    import apsw

__all__ = ["copy_into"]


def copy_into(connection: apsw.Connection, target: str) -> None:
    """Write the copy to a new file of mode 0600 and let it reach the disk.

    Raises:
        ConflictError: the file exists already; it was left alone.
        StoreUnavailableError: it cannot be written there.
    """
    path = Path(target).absolute()
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError as error:
        raise ConflictError(f"{path} exists already.", next="Name a new file.") from error
    except OSError as error:
        raise StoreUnavailableError(f"{path} cannot be written: {error.strerror}.") from error
    with translated(str(path)):
        connection.pragma("query_only", False)
        try:
            connection.execute("VACUUM INTO ?", (str(path),))
        finally:
            connection.pragma("query_only", True)
        set_journal(path, journal="wal")
    sync_folder(path.parent)
