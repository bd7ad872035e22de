"""The comparison of the stored projections with those that the log gives."""

from __future__ import annotations

from dataclasses import replace
from heapq import merge
from itertools import count, groupby
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
PAGE = 5000
STORED, DERIVED = "stored", "derived"


def compare_table(table: Table, stored: Reader, derived: Reader, findings: Findings) -> None:
    """Note each row of a projection that is not the one that the log gives."""
    sides = merge(_keyed(table, stored, STORED), _keyed(table, derived, DERIVED), key=itemgetter(0))
    for key, group in groupby(sides, key=itemgetter(0)):
        rows = {side: row for _, side, row in group}
        if difference := _difference(rows.get(STORED), rows.get(DERIVED)):
            name = one_line(", ".join(map(str, key)), 120)
            findings.add(f"table {table.name}", None, f"row ({name}) {difference}")


def _keyed(
    table: Table, reader: Reader, side: str
) -> Iterator[tuple[tuple[object, ...], str, Row]]:
    statement = _page(table)
    for offset in count(0, PAGE):
        rows = reader.rows(statement, limit=PAGE, offset=offset)
        yield from ((tuple(row[name] for name in table.key), side, row) for row in rows)
        if len(rows) < PAGE:
            return


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


def _page(table: Table) -> Statement:
    def named(text: str) -> str:
        return text.replace("{table}", table.name).replace("{key}", ", ".join(table.key))

    page = SQL["page"]
    return replace(page, sqlite=named(page.sqlite), postgres=named(page.postgres))
