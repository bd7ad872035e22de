"""The storage seam: same rows, errors and order on both engines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from contextlib import AbstractContextManager

    from agentjournal.storage.statement import Statement

Value = str | int | bytes | None
Row = dict[str, Value]
Engine = Literal["sqlite", "postgres"]


class Reader(Protocol):
    """Reads rows; within one reader all reads see one state of the store."""

    engine: Engine

    def rows(self, statement: Statement, /, **values: Value) -> list[Row]:
        """Give every row of the statement, in the order that it asks for."""
        ...

    def tables(self) -> list[str]:
        """Give the name of every table of the store, in order."""
        ...

    def now(self) -> str:
        """Give the database's clock as `YYYY-MM-DDTHH:MM:SS.ffffffZ`."""
        ...


class Transaction(Reader, Protocol):
    """One write transaction: all of it is stored, or nothing."""

    def run(self, statement: Statement, /, **values: Value) -> int:
        """Run one writing statement and give the number of rows it touched."""
        ...

    def many(self, statement: Statement, values: Iterable[Mapping[str, Value]], /) -> None:
        """Run one writing statement for each mapping of values."""
        ...


class Database(Protocol):
    """One store on one engine; safe for threads and processes.

    Raises:
        StoreError: any of its subclasses, the same ones on both engines.
    """

    engine: Engine
    location: str

    def rows(self, statement: Statement, /, **values: Value) -> list[Row]:
        """Give every row of one reading statement, outside of any transaction."""
        ...

    def snapshot(self) -> AbstractContextManager[Reader]:
        """Open a reader whose reads all see the same state."""
        ...

    def transaction(self) -> AbstractContextManager[Transaction]:
        """Open the write transaction, queued behind every other writer of the store.

        It commits at the end of the block and rolls back on any exception.

        Raises:
            StoreBusyError: the queue stayed occupied for the bounded wait.
            OutcomeUnknownError: the commit itself failed; ask by id before trying again.
        """
        ...

    def migration(self) -> AbstractContextManager[Transaction]:
        """Open the write transaction in which tables are made: the only one of its kind."""
        ...

    def backup(self, target: str, /) -> None:
        """Write a consistent copy to a new file (SQLite; PostgreSQL has its own tools)."""
        ...

    def compact(self) -> None:
        """Overwrite what was deleted and give its room back (after a redaction)."""
        ...

    def facts(self) -> dict[str, str]:
        """Say what a doctor wants to know: engine, versions, settings that guard the data."""
        ...

    def close(self) -> None:
        """Close every connection of this process."""
        ...
