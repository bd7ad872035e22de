"""Reads and writes on one PostgreSQL connection, inside one block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from psycopg import ClientCursor
from psycopg.pq import TransactionStatus
from psycopg.rows import dict_row

from agentjournal.errors import StoreError
from agentjournal.storage.postgres_errors import translated
from agentjournal.storage.statement import load_statements
from agentjournal.storage.values import bound
from agentjournal.system.clock import timestamp

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agentjournal.storage.database import Engine, Row, Value
    from agentjournal.storage.postgres_pool import Connection
    from agentjournal.storage.statement import Statement
    from agentjournal.system.clock import Clock

__all__ = ["PostgresSession"]

_SQL = load_statements(__package__, "sql/engine.sql")
_BATCH = 200


class PostgresSession:
    """A reader, and inside a transaction a writer too."""

    engine: Engine = "postgres"

    def __init__(
        self, connection: Connection, *, schema: str, clock: Clock | None, location: str
    ) -> None:
        self._connection = connection
        self._schema = schema
        self._clock = clock
        self._location = location

    def rows(self, statement: Statement, /, **values: Value) -> list[Row]:
        """Give every row of the statement, in the order that it asks for."""
        given = bound(statement, values)
        with translated(self._location), self._connection.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(self._text(statement), given).fetchall()

    def tables(self) -> list[str]:
        """Give the name of every table of the store, in order."""
        return [str(row["name"]) for row in self.rows(_SQL["tables_postgres"], schema=self._schema)]

    def now(self) -> str:
        """Give the clock as it was passed in, or the server's own."""
        if self._clock is not None:
            return timestamp(self._clock.now())
        return str(self.rows(_SQL["now"])[0]["now"])

    def run(self, statement: Statement, /, **values: Value) -> int:
        """Run one writing statement and give the number of rows it touched."""
        given = bound(statement, values)
        with translated(self._location):
            return max(0, self._connection.execute(self._text(statement), given).rowcount)

    def many(self, statement: Statement, values: Iterable[Mapping[str, Value]], /) -> None:
        """Run one writing statement for each mapping of values, many in one round trip."""
        text = self._text(statement)
        given = [bound(statement, each) for each in values]
        with translated(self._location), ClientCursor(self._connection) as cursor:
            for start in range(0, len(given), _BATCH):
                batch = [cursor.mogrify(text, each) for each in given[start : start + _BATCH]]
                cursor.execute(";".join(batch).encode())

    def check(self) -> None:
        """Refuse to commit after a failed statement: the server would roll back and say nothing.

        Raises:
            StoreError: a statement failed and its error was swallowed.
        """
        if self._connection.info.transaction_status == TransactionStatus.INERROR:
            raise StoreError(
                "A statement of this transaction failed: nothing was stored.",
                next="Let the first error end the block.",
            )

    def _text(self, statement: Statement) -> bytes:
        named = statement.postgres.replace("{schema}", f'"{self._schema}".')
        return named.replace("{schema_name}", f'"{self._schema}"').encode()
