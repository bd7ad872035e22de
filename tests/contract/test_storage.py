"""One seam, two engines: the same rows, order and errors."""

from __future__ import annotations

from agentjournal.storage.statement import parse_statement

MAKE = parse_statement(
    "make", "CREATE TABLE {schema}thing (name {text} PRIMARY KEY, size {integer}, note {text})"
)
ADD = parse_statement(
    "add", "INSERT INTO {schema}thing (name, size, note) VALUES (:name, :size, :note)"
)
ALL = parse_statement("all", "SELECT name, size, note FROM {schema}thing ORDER BY name")
GROW = parse_statement("grow", "UPDATE {schema}thing SET size = size + 1 WHERE size < :limit")
SUM = parse_statement(
    "sum", "SELECT SUM(size) AS total, COUNT(*) AS n, MAX(size) > 1 AS is_large FROM {schema}thing"
)


def made(database):
    with database.migration() as transaction:
        transaction.run(MAKE)
    return database


def add(database, *names):
    with database.transaction() as transaction:
        for name in names:
            transaction.run(ADD, name=name, size=len(name), note=None)


def names(reader):
    return [row["name"] for row in reader.rows(ALL)]


def test_rows_come_back_as_they_were_stored(database):
    made(database)
    with database.transaction() as transaction:
        transaction.run(ADD, name="a\n'b\" %s :c \\ {x}", size=-(2**63), note=None)
        transaction.run(ADD, name="日本 ä 🙂", size=2**63 - 1, note="")
        inside = transaction.rows(ALL)
    assert database.rows(ALL) == inside
    assert inside == [
        {"name": "a\n'b\" %s :c \\ {x}", "size": -(2**63), "note": None},
        {"name": "日本 ä 🙂", "size": 2**63 - 1, "note": ""},
    ]
