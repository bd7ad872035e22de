"""The store in one schema of a PostgreSQL database."""

from __future__ import annotations

import contextlib
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import psycopg
from psycopg.conninfo import conninfo_to_dict

from agentjournal.errors import ConfigurationError, OutcomeUnknownError, StoreError
from agentjournal.storage.block import OneBlock
from agentjournal.storage.postgres_errors import is_lost, store_error
from agentjournal.storage.postgres_pool import Pool
from agentjournal.storage.postgres_session import PostgresSession
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.storage.database import Engine, Row, Value
    from agentjournal.storage.postgres_pool import Connection
    from agentjournal.storage.statement import Statement
    from agentjournal.system.clock import Clock

__all__ = ["Postgres"]

_SQL = load_statements(__package__, "sql/postgres.sql")
_SCHEMA = re.compile(r"[a-z_][a-z0-9_]{0,62}")


class Postgres:
    """One schema of a PostgreSQL database (14 or newer) behind the storage seam.

    `busy_wait` bounds each wait for a lock or a connection, in seconds. Writers of one stream meet
    at its row; there is no other queue.

    Raises:
        ConfigurationError: the URL cannot be read, or the schema's name is none.
    """

    engine: Engine = "postgres"

    def __init__(
        self,
        url: str,
        *,
        schema: str = "agentjournal",
        clock: Clock | None = None,
        busy_wait: float = 10.0,
        pool_size: int = 8,
    ) -> None:
        if not _SCHEMA.fullmatch(schema):
            raise ConfigurationError(
                f"{schema!r} is no name for a schema.",
                next="Use small letters, digits and _, at most 63, no digit first.",
            )
        self.location = _shown(url)
        self._schema = schema
        self._clock = clock
        self._wait = str(int(busy_wait * 1000))
        self._block = OneBlock()
        self._pool = Pool(url, location=self.location, size=pool_size, wait=busy_wait)

    def rows(self, statement: Statement, /, **values: Value) -> list[Row]:
        """Give every row of one reading statement, outside of any transaction."""
        with self._connected() as connection:
            return self._session(connection).rows(statement, **values)

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[PostgresSession]:
        """Open a reader whose reads all see the same state."""
        with self._connected() as connection:
            session = self._session(connection)
            session.run(_SQL["begin_snapshot"])
            yield session

    @contextlib.contextmanager
    def transaction(self) -> Iterator[PostgresSession]:
        """Open a write transaction; who writes to one stream waits for its row."""
        with self._connected() as connection:
            session = self._session(connection)
            session.run(_SQL["begin"], wait=self._wait)
            yield session
            session.check()
            self._commit(connection)

    @contextlib.contextmanager
    def migration(self) -> Iterator[PostgresSession]:
        """Open the write transaction of migrations, the only one, with the schema there."""
        with self.transaction() as session:
            session.rows(_SQL["lock_migrations"], name=f"agentjournal/{self._schema}")
            if not session.rows(_SQL["has_schema"], schema=self._schema):
                session.run(_SQL["create_schema"])
            yield session

    def backup(self, target: str, /) -> None:
        """Refuse: PostgreSQL has its own tools.

        Raises:
            StoreError: always.
        """
        raise StoreError(
            f"A copy of a PostgreSQL store is not made here ({target}).",
            next="Run pg_dump, or `agentjournal db export`.",
        )

    def compact(self) -> None:
        """Write every table anew, without what was deleted (the server's own log may keep it)."""
        with self._connected() as connection:
            session = self._session(connection)
            for table in session.tables():
                text = _SQL["vacuum"].postgres.replace("{table}", f'"{table}"')
                session.run(replace(_SQL["vacuum"], postgres=text))

    def facts(self) -> dict[str, str]:
        """Say what a doctor wants to know."""
        found = self.rows(_SQL["facts"])[0]
        settings = {name: str(value) for name, value in found.items()}
        return {"engine": "postgres", "schema": self._schema, **settings}

    def close(self) -> None:
        """Close every connection of this process."""
        self._pool.close()

    def _session(self, connection: Connection) -> PostgresSession:
        return PostgresSession(
            connection, schema=self._schema, clock=self._clock, location=self.location
        )

    @contextlib.contextmanager
    def _connected(self) -> Iterator[Connection]:
        """Lend a connection, and end whatever was not committed on it."""
        with self._block.opened(), self._pool.connection() as connection:
            try:
                yield connection
            finally:
                with contextlib.suppress(psycopg.Error):  # a lost one has rolled back already
                    connection.rollback()

    def _commit(self, connection: Connection) -> None:
        try:
            connection.commit()
        except psycopg.Error as error:
            if not is_lost(error, connection):
                raise store_error(error, self.location) from error
            raise OutcomeUnknownError(
                f"The commit got no answer: {error} ({self.location}).",
                next="Try again with the same id: what is stored already is not stored twice.",
            ) from error


def _shown(url: str) -> str:
    """Name the server and database, without user, password and options."""
    try:
        conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        raise ConfigurationError(
            "The database's URL cannot be read.",  # nor shown: it may hold a password
            next="Give it as postgresql://USER:PASSWORD@HOST:PORT/DATABASE.",
        ) from None
    return "postgresql://" + url.partition("://")[2].partition("?")[0].rpartition("@")[2]
