"""What recording and opening cost does not grow with what lies behind."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from agentjournal.lanes.kept import KeptJournal
from agentjournal.lanes.rewrite import consolidate_lane
from agentjournal.storage.sqlite import Sqlite
from agentjournal.storage.sqlite_session import SqliteSession
from support.lanes import OWNER, Writer, lane_log, plainly


@pytest.fixture
def log(sqlite_path):
    database = Sqlite(str(sqlite_path), durable=False)
    yield lane_log(database)
    database.close()


@pytest.fixture
def ada():
    return Writer("ada")


@pytest.fixture
def work(monkeypatch):
    """Count the statements that run and the rows that are read inside a block."""

    @contextmanager
    def counted():
        done = {"statements": 0, "rows": 0}

        def rows(session, statement, /, **values):
            found = plain_rows(session, statement, **values)
            done["statements"] += 1
            done["rows"] += len(found)
            return found

        def run(session, statement, /, **values):
            done["statements"] += 1
            return plain_run(session, statement, **values)

        plain_rows, plain_run = SqliteSession.rows, SqliteSession.run
        with monkeypatch.context() as patched:
            patched.setattr(SqliteSession, "rows", rows)
            patched.setattr(SqliteSession, "run", run)
            yield done

    return counted


def turn(log, ada, number):
    return ada.turn(log, f"Situation {number}.", [("Ben", f"said {number}")], f"Done {number}.")


def test_recording_a_turn_costs_the_same_whatever_the_history(log, ada, work):
    kept = KeptJournal(log, OWNER)
    costs = []
    for number in range(1, 301):
        with work() as done:
            turn(log, ada, number)
            kept.journal.token_estimate()
        costs.append(done)
    assert costs[299] == costs[10]
    assert costs[299]["rows"] <= 30
    assert costs[299]["statements"] <= 35


@pytest.mark.parametrize("turns", [20, 400])
def test_opening_reads_nothing_below_the_floor(log, ada, work, turns):
    for number in range(1, turns + 1):
        turn(log, ada, number)
    consolidate_lane(log, OWNER, plainly, ada.sign(), 0.0)
    for number in range(4):
        turn(log, ada, number)
    with work() as done:
        journal = KeptJournal(log, OWNER).journal
    assert len(journal.entries) == 12
    assert done["rows"] <= 20


def test_a_journal_that_is_open_reads_only_what_is_new(log, ada, work):
    kept = KeptJournal(log, OWNER)
    for number in range(1, 101):
        turn(log, ada, number)
    assert len(kept.journal.entries) == 300
    turn(log, ada, 101)
    with work() as done:
        assert len(kept.journal.entries) == 303
    assert done["rows"] <= 5
    with work() as done:
        assert len(kept.journal.entries) == 303
    assert done["rows"] <= 2
