"""The reads find what they show by an index: their cost does not grow with the history."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from agentjournal.execution.claims import SQL as CLAIMS
from agentjournal.execution.context.load import SQL as CONTEXT
from agentjournal.execution.history.pages import SQL as HISTORY
from agentjournal.execution.state.load import SQL as STATE
from agentjournal.storage.open import open_database
from agentjournal.storage.statement import Statement
from support.execution import execution_log

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.storage.database import Database

GROWING = r"(step|ruled_out|decision|attempt|touch|gate|claim_word|event)"
WHOLE = re.compile(
    rf"SCAN {GROWING}(_[a-z])?\b|SEARCH {GROWING}(_[a-z])? .*\(slug=\?( AND seq>\?)?\)"
)
READS = {
    f"{part}.{name}": statement
    for part, statements in (("context", CONTEXT), ("claims", CLAIMS), ("history", HISTORY))
    for name, statement in statements.items()
} | {"state.open_attempts": STATE["open_attempts"], "state.closing_step": STATE["closing_step"]}
# Pages and counts go through the rows that they mean, and so does the rare part of an id.
ALLOWED = {"history.steps_after", "history.count_after", "history.steps_by_part"}


@pytest.fixture(scope="module")
def store() -> Iterator[Database]:
    database = open_database(":memory:")
    execution_log(database)
    yield database
    database.close()


@pytest.mark.parametrize("name", sorted(set(READS) - ALLOWED))
def test_no_read_goes_through_a_whole_projects_rows(store: Database, name: str) -> None:
    for detail in _plan(store, READS[name]):
        assert not WHOLE.search(detail), detail


def _plan(store: Database, statement: Statement) -> list[str]:
    explained = Statement(
        name=statement.name,
        sqlite=f"EXPLAIN QUERY PLAN {_named(statement.sqlite)}",
        postgres="",
        parameters=statement.parameters,
    )
    values = {name: 1 if name in ("limit", "seq") else "x" for name in statement.parameters}
    return [str(row["detail"]) for row in store.rows(explained, **values)]


def _named(sql: str) -> str:
    """Give tables their own names in the plan: `step s` is spoken of as `s` otherwise."""
    for table, alias in re.findall(rf"\b{GROWING} ([a-z])\b", sql):
        sql = re.sub(rf"\b{table} {alias}\b", f"{table} {table}_{alias}", sql)
        sql = re.sub(rf"\b{alias}\.", f"{table}_{alias}.", sql)
    return sql
