"""Connections to a PostgreSQL server, such that a transaction pooler may stand in between."""

from __future__ import annotations

import contextlib
import logging
import os
from typing import TYPE_CHECKING

import psycopg
from psycopg.adapt import Loader
from psycopg_pool import ConnectionPool, PoolTimeout

from agentjournal.errors import SchemaError, StoreBusyError
from agentjournal.storage.postgres_errors import translated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from psycopg.abc import Buffer

__all__ = ["Connection", "Pool"]

Connection = psycopg.Connection[tuple[object, ...]]
_OLDEST = 140000

# Lost connections are said by our errors. Without a handler the pool's own words go to standard
# error; a program that sets up logging still gets them.
logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())


class Pool:
    """Lends connections; a forked child gets its own.

    No prepared statements, no SET, no temporary table, no session lock: each transaction may meet
    another backend. `wait` is in seconds.
    """

    def __init__(self, url: str, *, location: str, size: int, wait: float) -> None:
        self._url = url
        self._location = location
        self._size = size
        self._wait = wait
        self._pool: ConnectionPool[Connection] | None = None
        self._pid = os.getpid()

    @contextlib.contextmanager
    def connection(self) -> Iterator[Connection]:
        """Lend a connection that answers.

        Raises:
            StoreUnavailableError: the server cannot be reached or refuses us.
            StoreBusyError: all connections stayed in use for the whole wait.
            SchemaError: the server is too old, or does not hold UTF-8.
        """
        pool = self._opened()
        try:
            connection = pool.getconn(timeout=self._wait)
        except PoolTimeout as error:
            self._try()
            raise StoreBusyError(
                f"store busy, all {self._size} connections are in use ({self._location}).",
                next="Try again.",
            ) from error
        try:
            yield connection
        finally:
            pool.putconn(connection)

    def close(self) -> None:
        """Close every connection."""
        if self._pool is not None and self._pid == os.getpid():
            self._pool.close()
        self._pool = None

    def _opened(self) -> ConnectionPool[Connection]:
        if self._pool is None or self._pid != os.getpid():
            self._try()
            self._pid = os.getpid()
            self._pool = ConnectionPool(
                self._url,
                kwargs=_OPTIONS,
                configure=_configure,
                check=ConnectionPool.check_connection,
                min_size=0,
                max_size=self._size,
                open=True,
            )
        return self._pool

    def _try(self) -> None:
        """Connect once, so that a fault is named at once and in the server's words."""
        with (
            translated(self._location),
            psycopg.connect(self._url, connect_timeout=max(2, int(self._wait))) as connection,
        ):
            encoding = connection.info.parameter_status("server_encoding")
            version = connection.info.server_version
        if version < _OLDEST or encoding != "UTF8":
            raise SchemaError(
                f"The server is PostgreSQL {version // 10000} in {encoding} ({self._location}).",
                next="Use PostgreSQL 14 or newer, and a database in UTF8.",
            )


_OPTIONS = {
    "autocommit": True,
    "prepare_threshold": None,
    "cursor_factory": psycopg.ClientCursor,
    "client_encoding": "utf8",
}


class _Whole(Loader):
    """Reads sums of integers, which PostgreSQL makes numeric, as integers."""

    def load(self, data: Buffer) -> int:
        return int(bytes(data))


class _Flag(Loader):
    """Reads true and false as 1 and 0, as SQLite gives them."""

    def load(self, data: Buffer) -> int:
        return int(bytes(data) == b"t")


def _configure(connection: Connection) -> None:
    connection.adapters.register_loader("numeric", _Whole)
    connection.adapters.register_loader("bool", _Flag)
