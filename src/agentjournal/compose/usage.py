"""Where measurements are kept, and whose attempt a token was."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from agentjournal.storage.statement import load_statements
from agentjournal.usage.file import open_measurements
from agentjournal.usage.report.price import load_prices

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agentjournal.compose.services import Services
    from agentjournal.config.settings import Settings
    from agentjournal.usage.measurements import Measurements
    from agentjournal.usage.report.price import Prices

__all__ = ["measurements", "measurements_path", "prices", "task_of_token"]

_SQL = load_statements(__package__, "sql/usage.sql")
_FILE = "usage.db"


def measurements_path(settings: Settings) -> Path:
    """Give the measurement file: beside the log, or among our data where that is no file."""
    is_file = "://" not in settings.database and settings.database != ":memory:"
    return Path(settings.database).parent / _FILE if is_file else settings.data_dir / _FILE


@contextlib.contextmanager
def measurements(services: Services) -> Iterator[Measurements]:
    """Open the measurement file for a block; no log is opened for it."""
    settings = services.settings
    opened = open_measurements(
        measurements_path(settings), allow_network_fs=settings.allow_network_fs
    )
    try:
        yield opened
    finally:
        opened.database.close()


def prices(services: Services, own: Path | None) -> Prices:
    """Read the price table that was named, else the user's beside their settings, over the shipped one."""
    beside = services.settings.config_file.with_name("prices.toml")
    return load_prices(own or (beside if beside.is_file() else None))


def task_of_token(services: Services) -> Callable[[str], tuple[str, str] | None]:
    """Give what finds project and task by the digest of an attempt's token; no log is made for it."""

    def find(digest: str) -> tuple[str, str] | None:
        rows = services.log.database.rows(_SQL["task_of_token"], token_sha256=digest)
        return (str(rows[0]["slug"]), str(rows[0]["task"])) if rows else None

    database = services.settings.database
    has_log = "://" in database or Path(database).is_file()
    return find if has_log else lambda _: None
