"""The comparison of the stored projections with those that the log gives."""

from __future__ import annotations

from dataclasses import replace
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from agentjournal.storage.statement import load_statements
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.log.findings import Findings
    from agentjournal.log.fold import Table
    from agentjournal.storage.database import Reader, Row
    from agentjournal.storage.statement import Statement

__all__ = ["compare_table"]

SQL = load_statements(__package__, "sql/projection.sql")
PAGE = 200
Key = tuple[object, ...]
STORED, DERIVED = "stored", "derived"


def compare_table(table: Table, stored: Reader, derived: Reader, findings: Findings) -> None:
    """Note each row of a projection that is not the one that the log gives."""
    sides = merge(_keyed(table, stored, STORED), _keyed(table, derived, DERIVED), key=itemgetter(0))
    for key, group in groupby(sides, key=itemgetter(0)):
        rows = {side: row for _, side, row in group}
        if difference := _difference(rows.get(STORED), rows.get(DERIVED)):
            name = one_line(", ".join(map(str, key)), 120)
            findings.add(f"table {table.name}", None, f"row ({name}) {difference}")


def _keyed(table: Table, reader: Reader, side: str) -> Iterator[tuple[Key, str, Row]]:
    rows = reader.rows(_named("first_page", table, ()), limit=PAGE)
    while rows:
        yield from ((tuple(row[name] for name in table.key), side, row) for row in rows)
        after = {f"after_{name}": rows[-1][name] for name in table.key}
        rows = reader.rows(_named("next_page", table, tuple(after)), limit=PAGE, **after)


def _difference(stored: Row | None, derived: Row | None) -> str:
    if stored is None:
        return "is missing"
    if derived is None:
        return "was written by no event"
    return "; ".join(
        f"{name} is {one_line(repr(stored.get(name)), 80)}, "
        f"the log gives {one_line(repr(value), 80)}"
        for name, value in derived.items()
        if stored.get(name) != value
    )


def _named(name: str, table: Table, after: tuple[str, ...]) -> Statement:
    """Say which table, key and parameters a statement is for: plain words of ours."""

    def named(text: str, parameter: str) -> str:
        values = ", ".join(parameter.format(name) for name in after)
        words = {"{table}": table.name, "{key}": ", ".join(table.key), "{after}": values}
        for placeholder, word in words.items():
            text = text.replace(placeholder, word)
        return text

    statement = SQL[name]
    return replace(
        statement,
        sqlite=named(statement.sqlite, ":{}"),
        postgres=named(statement.postgres, "%({})s"),
        parameters=statement.parameters | set(after),
    )
