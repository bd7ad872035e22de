"""The store that a location names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.errors import ExtraMissingError

if TYPE_CHECKING:
    from agentjournal.storage.database import Database
    from agentjournal.system.clock import Clock

__all__ = ["open_database"]


def open_database(
    location: str,
    *,
    schema: str = "agentjournal",
    clock: Clock | None = None,
    busy_wait: float = 10.0,
    allow_network_fs: bool = False,
) -> Database:
    """Open the store at a path, at `:memory:`, or behind a `postgresql://` URL.

    Raises:
        ExtraMissingError: the URL needs the extra `postgres`.
        StoreUnavailableError: there is no way to use a store there.
    """
    if location.startswith(("postgresql://", "postgres://")):
        try:
            from agentjournal.storage.postgres import Postgres
        except ImportError as error:
            raise ExtraMissingError(
                "A database on PostgreSQL needs psycopg, which is not installed.",
                next='Run `pip install "agent-journal[postgres]"`.',
            ) from error
        return Postgres(location, schema=schema, clock=clock, busy_wait=busy_wait)
    from agentjournal.storage.sqlite import Sqlite

    return Sqlite(location, clock=clock, busy_wait=busy_wait, allow_network_fs=allow_network_fs)
