"""What holds for every log: gapless order, one answer for one id, projections in the same write."""

from __future__ import annotations

import pytest

from agentjournal.errors import ConflictError, InputError
from support.example_fold import example_log, note, projections, write


@pytest.fixture
def log(database):
    return example_log(database)


def test_events_get_gapless_numbers_in_their_stream(log):
    written = write(log, note("a"), note("b", stream="project/q"), note("c"))

    assert [(event.stream, event.seq) for event in written] == [
        ("project/p", 1),
        ("project/q", 1),
        ("project/p", 2),
    ]


def test_an_event_is_read_as_it_was_written(log):
    words = 'é 日本 \\ "quoted" \t\n 😀'
    [event] = write(log, note("a", words, turn="one\n"))

    with log.database.snapshot() as reader:
        assert log.find(reader, "a") == event
        assert log.find(reader, "b") is None
    assert event.body["words"] == words
    assert event.recorded_at == "2026-01-31T09:00:00.000000Z"
    assert event.own_digest == event.digest


def test_the_same_draft_again_gives_the_first_answer_and_writes_nothing(log, clock):
    [first] = write(log, note("a", "x"))
    clock.advance(5)

    assert write(log, note("a", "x")) == [first]
    assert len(projections(log)[0]) == 1


def test_an_id_with_other_content_is_refused_and_nothing_of_the_transaction_is_stored(log):
    write(log, note("a", "x"))

    with pytest.raises(ConflictError, match="a is already stored with other content, as seq 1"):
        write(log, note("b"), note("a", "y"))

    with log.database.snapshot() as reader:
        assert [event.id for event in log.events(reader, "project/p")] == ["a"]


def test_an_id_is_taken_in_the_whole_store(log):
    write(log, note("a", stream="project/p"))

    with pytest.raises(ConflictError, match="seq 1 of project/p"):
        write(log, note("a", stream="project/q"))


def test_appending_to_a_stream_that_is_not_held_is_refused(log):
    with pytest.raises(ConflictError, match="is not held"), log.database.transaction() as tx:
        log.append(tx, [note("a")])


def test_holding_a_stream_tells_how_far_it_reaches(log):
    with log.database.transaction() as tx:
        assert log.lock_stream(tx, "project/p") == 0
        log.append(tx, [note("a"), note("b")])
        assert log.lock_stream(tx, "project/p") == 2


def test_a_failed_transaction_leaves_no_event_no_number_and_no_projection(log):
    write(log, note("a"))

    def stop():
        with log.database.transaction() as tx:
            log.lock_stream(tx, "project/p")
            log.append(tx, [note("b")])
            raise InputError("stop")

    with pytest.raises(InputError, match="stop"):
        stop()

    [c] = write(log, note("c"))
    assert c.seq == 2
    assert [row["id"] for row in projections(log)[0]] == ["a", "c"]


def test_events_are_read_in_pages(log):
    write(log, *(note(f"e{n}") for n in range(7)))

    with log.database.snapshot() as reader:
        page = log.events(reader, "project/p", after_seq=2, limit=3)
        assert [event.seq for event in page] == [3, 4, 5]
        assert [event.seq for event in log.all_events(reader, "project/p")] == list(range(1, 8))


def test_a_fold_that_fails_takes_the_event_with_it(log, monkeypatch):
    def fail(_, event):
        raise InputError(f"no {event.id}")

    monkeypatch.setattr(log.folds[0], "apply", fail)

    with pytest.raises(InputError, match="no a"):
        write(log, note("a"))

    with log.database.snapshot() as reader:
        assert log.find(reader, "a") is None


def test_migrating_twice_changes_nothing(log):
    write(log, note("a"))

    log.migrate()

    assert [row["id"] for row in projections(log)[0]] == ["a"]
