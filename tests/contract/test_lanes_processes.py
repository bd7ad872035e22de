"""Two processes record at once: nothing is lost, and what each renders extends what it rendered."""

from __future__ import annotations

import pytest

from agentjournal.lanes import record
from agentjournal.lanes.kept import KeptJournal
from agentjournal.log.verify import verify
from agentjournal.storage.open import open_database
from support.lane_child import finish, start
from support.lanes import OWNER, Writer, lane_log

TURNS = 30


@pytest.fixture
def log(database):
    return lane_log(database)


def test_two_processes_recording_at_once_lose_nothing(location):
    database = open_database(location)
    log = lane_log(database)
    processes = [start(location, name, TURNS) for name in ("ann", "bob")]
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    taken = [list(map(int, finish(process))) for process in processes]

    assert sorted(taken[0] + taken[1]) == list(range(1, 2 * TURNS + 1))
    entries = KeptJournal(log, OWNER).journal.entries
    for name, numbers in zip(("ann", "bob"), taken, strict=True):
        told = [entry.epoch for entry in entries if entry.text.startswith(f"{name} ")]
        assert told == numbers
        assert [e.text for e in entries if e.text.startswith(f"to {name}")] == [
            f"to {name}: {number}" for number in range(TURNS)
        ]
    assert verify(log).is_good
    database.close()


def test_what_another_process_heard_in_between_is_stale(log, monkeypatch):
    ann, bob = Writer("ann"), Writer("bob")
    composed = record._draft

    def overtaken(*arguments):
        monkeypatch.setattr(record, "_draft", composed)
        bob.turn(log, heard=[("Ben", "hurry")], own="Bob heard it first.")
        return composed(*arguments)

    monkeypatch.setattr(record, "_draft", overtaken)
    answer = ann.turn(log, heard=[("Ben", "hurry")], own="Ann hears it.")

    assert (answer.n, answer.stale) == (2, 1)
    assert KeptJournal(log, OWNER).journal.render().count("hurry") == 1


def test_the_same_turn_recorded_twice_at_once_is_one(log, monkeypatch):
    composed = record._draft

    def overtaken(*arguments):
        monkeypatch.setattr(record, "_draft", composed)
        assert not Writer("ann").turn(log, "Once.").is_repeat
        return composed(*arguments)

    monkeypatch.setattr(record, "_draft", overtaken)
    assert Writer("ann").turn(log, "Once.").is_repeat
    assert KeptJournal(log, OWNER).journal.render().count("Once.") == 1
