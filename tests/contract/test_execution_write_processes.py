"""Eight processes on one project, on both engines: one winner, one row, one close."""

from collections.abc import Iterator

import pytest

from agentjournal.log.log import Log
from agentjournal.log.verify import verify
from agentjournal.storage.open import open_database
from support.claimants import at_once, claim_all, close_all, reap_all, write_five_times
from support.execution import claim, events, project, rows, task

PROCESSES = 8


@pytest.fixture
def log(location: str) -> Iterator[Log]:
    """A project with a hundred tasks that wait for nothing; it tells the engine's own time."""
    store = open_database(location)
    yield project(store, *(task(f"T-{number}", number + 1) for number in range(100)))
    store.close()


def test_of_eight_claimants_exactly_one_wins_each_of_a_hundred_tasks(
    log: Log, location: str
) -> None:
    won = at_once(location, PROCESSES, claim_all)
    assert sorted(each for answers in won for each in answers) == list(range(100))
    assert [row["attempts"] for row in rows(log.database, "task")] == [1] * 100
    fences = [row["fence"] for row in rows(log.database, "attempt")]
    assert sorted(fences) == list(range(3, 103))
    assert verify(log).is_good


def test_a_step_written_by_many_at_once_is_stored_once_and_answered_alike(
    log: Log, location: str
) -> None:
    answers = at_once(location, 2, write_five_times)
    assert answers[0] == answers[1]
    assert len(set(answers[0])) == 20
    assert len(rows(log.database, "step")) == 20
    assert [event.seq for event in events(log)] == list(range(1, 43))
    assert verify(log).is_good


def test_two_reapers_at_once_close_each_attempt_once(log: Log, location: str) -> None:
    for number in range(20):
        claim(log, number, task=f"T-{number}")
    reaped = at_once(location, 2, reap_all)
    assert sorted(reaped[0] + reaped[1]) == sorted(f"T-{number}" for number in range(20))
    assert len(rows(log.database, "step")) == 20
    assert rows(log.database, "lease") == []
    assert verify(log).is_good


def test_of_several_closes_one_counts_and_the_others_are_late(log: Log, location: str) -> None:
    for number in range(20):
        claim(log, number, task=f"T-{number}")
    late = at_once(location, 4, close_all)
    for each in range(20):
        assert sorted(answers[each] for answers in late) == [False, True, True, True]
    assert verify(log).is_good
