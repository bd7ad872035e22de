"""Opens the measurement file; apart from the rest, since it loads the database driver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.storage.sqlite import Sqlite
from agentjournal.usage.measurements import Measurements

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["open_measurements"]


def open_measurements(path: Path | str, *, allow_network_fs: bool = False) -> Measurements:
    """Open the file, or make it: a power cut may lose its newest rows, nothing else.

    Raises:
        StoreError: it cannot be opened, or is no file of ours.
    """
    return Measurements(Sqlite(str(path), durable=False, allow_network_fs=allow_network_fs))
