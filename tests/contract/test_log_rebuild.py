"""The projections are a function of the events."""

from __future__ import annotations

import pytest

from agentjournal.errors import DamagedError
from agentjournal.log.rebuild import rebuild
from agentjournal.log.revoke import redact, retract
from agentjournal.log.verify import verify
from agentjournal.storage.statement import parse_statement
from support.example_fold import AT, example_log, note, projections, write

BY = {"actor": "ada", "at": AT, "why": "it is wrong"}


@pytest.fixture
def log(database):
    log = example_log(database)
    write(log, *(note(f"e{n}", f"words {n}", turn=f"line {n}\n") for n in range(1, 9)))
    write(log, note("q1", "other", stream="project/q"))
    retract(log, "e2", event_id="r1", **BY)
    redact(log, "e5", event_id="r2", **BY)
    return log


def change(log, sql):
    with log.database.transaction() as tx:
        assert tx.run(parse_statement("change", sql)) > 0


def test_rebuilding_a_sound_store_changes_nothing(log):
    before = projections(log)

    assert rebuild(log) == 11

    assert projections(log) == before
    assert verify(log).is_good


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM {schema}note",
        "UPDATE {schema}note SET words = 'forged'",
        "INSERT INTO {schema}note (stream, seq, id) VALUES ('project/x', 1, 'x')",
        "DELETE FROM {schema}tally WHERE stream = 'project/q'",
    ],
)
def test_rebuilding_mends_what_was_done_to_projections(log, sql):
    before = projections(log)
    change(log, sql)
    assert projections(log) != before

    rebuild(log)

    assert projections(log) == before


def test_rebuilding_from_a_damaged_log_is_refused_and_changes_nothing(log):
    change(log, "UPDATE {schema}event SET payload = '{\"v\":1}' WHERE id = 'e3'")
    before = projections(log)

    with pytest.raises(DamagedError, match="project/p seq 3"):
        rebuild(log)

    assert projections(log) == before
