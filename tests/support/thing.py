"""One small table, for tests of the storage seam itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.storage.statement import parse_statement

if TYPE_CHECKING:
    from agentjournal.storage.database import Database, Reader

MAKE = parse_statement(
    "make", "CREATE TABLE {schema}thing (name {text} PRIMARY KEY, size {integer}, note {text})"
)
ADD = parse_statement(
    "add", "INSERT INTO {schema}thing (name, size, note) VALUES (:name, :size, :note)"
)
ALL = parse_statement("all", "SELECT name, size, note FROM {schema}thing ORDER BY name")
GROW = parse_statement("grow", "UPDATE {schema}thing SET size = size + 1 WHERE name = :name")
SIZE = parse_statement("size", "SELECT size FROM {schema}thing WHERE name = :name {for_update}")


def with_things(database: Database, *names: str) -> Database:
    """Make the table and a row of size 0 for each name."""
    with database.migration() as transaction:
        transaction.run(MAKE)
    add(database, *names)
    return database


def add(database: Database, *names: str) -> None:
    with database.transaction() as transaction:
        transaction.many(ADD, [{"name": name, "size": 0, "note": None} for name in names])


def names(reader: Reader | Database) -> list[object]:
    return [row["name"] for row in reader.rows(ALL)]
