"""Reads and writes on one SQLite connection, inside one block."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import apsw

from agentjournal.errors import AgentJournalError, StoreError
from agentjournal.storage.sqlite_errors import translated
from agentjournal.storage.statement import load_statements
from agentjournal.storage.values import bound
from agentjournal.system.clock import timestamp

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agentjournal.storage.database import Engine, Row, Value
    from agentjournal.storage.statement import Statement
    from agentjournal.system.clock import Clock

__all__ = ["SqliteSession"]

_SQL = load_statements(__package__, "sql/engine.sql")


class SqliteSession:
    """A reader, and inside a transaction a writer too."""

    engine: Engine = "sqlite"

    def __init__(self, connection: apsw.Connection, clock: Clock | None, location: str) -> None:
        self._connection = connection
        self._clock = clock
        self._location = location
        self.is_failed = False

    def rows(self, statement: Statement, /, **values: Value) -> list[Row]:
        """Give every row of the statement, in the order that it asks for."""
        given = bound(statement, values)
        with self._watched():
            cursor = self._connection.execute(statement.sqlite, given)
            try:
                names = [column[0] for column in cursor.get_description()]
            except apsw.ExecutionCompleteError:
                return []
            return [dict(zip(names, row, strict=True)) for row in cursor]

    def tables(self) -> list[str]:
        """Give the name of every table of the store."""
        return [str(row["name"]) for row in self.rows(_SQL["tables_sqlite"])]

    def now(self) -> str:
        """Give the clock as it was passed in, or the engine's own."""
        if self._clock is not None:
            return timestamp(self._clock.now())
        return str(self.rows(_SQL["now"])[0]["now"])

    def run(self, statement: Statement, /, **values: Value) -> int:
        """Run one writing statement and give the number of rows it touched."""
        given = bound(statement, values)
        with self._watched():
            before = self._connection.total_changes()
            self._connection.execute(statement.sqlite, given).fetchall()
            return self._connection.total_changes() - before

    def many(self, statement: Statement, values: Iterable[Mapping[str, Value]], /) -> None:
        """Run one writing statement for each mapping of values."""
        given = [bound(statement, each) for each in values]
        with self._watched():
            self._connection.executemany(statement.sqlite, given)

    def check(self) -> None:
        """Refuse to commit after a failed statement, as PostgreSQL does.

        Raises:
            StoreError: a statement failed and its error was swallowed.
        """
        if self.is_failed:
            raise StoreError(
                "A statement of this transaction failed: nothing was stored.",
                next="Let the first error end the block.",
            )

    @contextlib.contextmanager
    def _watched(self) -> Iterator[None]:
        try:
            with translated(self._location):
                yield
        except AgentJournalError:
            self.is_failed = True
            raise
