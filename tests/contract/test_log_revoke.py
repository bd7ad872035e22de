"""Retract hides, redact overwrites; both leave a trace and the rest of the log as it was."""

from __future__ import annotations

import pytest

from agentjournal.errors import ConflictError, InputError, NotFoundError
from agentjournal.log.event_id import full_event_id
from agentjournal.log.revoke import redact, retract
from agentjournal.log.transfer import export
from agentjournal.log.verify import verify
from agentjournal.storage.sqlite import Sqlite
from support.example_fold import AT, example_log, note, projections, write

BY = {"actor": "ada", "at": AT, "why": "it is wrong"}


@pytest.fixture
def log(database):
    return example_log(database)


def words(log):
    return {row["id"]: row["words"] for row in projections(log)[0]}


def test_a_retracted_event_is_in_no_projection_and_stays_in_the_log(log):
    write(log, note("a", "poison", turn="A\n"), note("b", "good", turn="B\n"))

    event = retract(log, "a", event_id="r", **BY)

    assert (event.seq, event.kind, event.body["event"]) == (3, "retract", "a")
    assert words(log) == {"a": None, "b": "good", "r": None}
    assert projections(log)[1][0]["record"] == "B\n"
    with log.database.snapshot() as reader:
        stored = log.find(reader, "a")
    assert stored.hidden
    assert stored.body["words"] == "poison"
    assert verify(log).is_good


def test_a_redacted_event_keeps_its_place_its_digest_and_its_skeleton(log):
    [written, _] = write(
        log, note("a", "hunter2", turn="A\n", kind="close", task="T-1"), note("b", "good")
    )

    redact(log, "a", event_id="r", **BY)

    with log.database.snapshot() as reader:
        stored = log.find(reader, "a")
    assert stored.hidden
    assert stored.payload == '{"redacted":"r","task":"T-1","v":1}'
    assert stored.turn is None
    assert (stored.seq, stored.digest) == (1, written.digest)
    assert words(log) == {"a": None, "b": "good", "r": None}
    assert "hunter2" not in "\n".join(export(log))
    assert verify(log).is_good


def test_a_retracted_event_can_still_be_redacted(log):
    write(log, note("a", "hunter2"))
    retract(log, "a", event_id="r1", **BY)

    redact(log, "a", event_id="r2", **BY)

    assert words(log)["a"] is None
    assert verify(log).is_good


def test_events_after_a_revocation_are_appended_to_what_it_left(log):
    write(log, note("a", "x", turn="A\n"))
    retract(log, "a", event_id="r", **BY)

    write(log, note("b", "y", turn="B\n"))

    assert words(log) == {"a": None, "r": None, "b": "y"}
    assert projections(log)[1][0] == {
        "stream": "project/p",
        "events": 3,
        "hidden": 1,
        "record": "B\n",
    }


@pytest.mark.parametrize("revoke", [retract, redact])
def test_the_same_event_id_again_gives_the_first_answer(log, revoke):
    write(log, note("a", "x"))
    first = revoke(log, "a", event_id="r", **BY)

    again = revoke(log, "a", event_id="r", **{**BY, "at": "2027-01-01T00:00:00.000000Z"})

    assert again == first
    assert len(projections(log)[0]) == 2


@pytest.mark.parametrize("revoke", [retract, redact])
def test_the_same_event_id_for_something_else_is_refused(log, revoke):
    write(log, note("a", "x"), note("b", "y"))
    revoke(log, "a", event_id="r", **BY)

    for target, by in (("b", BY), ("a", {**BY, "why": "other"})):
        with pytest.raises(ConflictError, match="r is already stored with other content"):
            revoke(log, target, event_id="r", **by)
    with pytest.raises(ConflictError, match="b is already stored with other content"):
        revoke(log, "a", event_id="b", **BY)


@pytest.mark.parametrize(
    ("first", "second"), [(retract, retract), (redact, redact), (redact, retract)]
)
def test_what_is_hidden_already_is_not_hidden_again(log, first, second):
    write(log, note("a", "x"))
    first(log, "a", event_id="r1", **BY)

    with pytest.raises(ConflictError, match="a is already hidden by r1"):
        second(log, "a", event_id="r2", **BY)

    assert len(projections(log)[0]) == 2
    assert verify(log).is_good


@pytest.mark.parametrize("revoke", [retract, redact])
def test_projects_and_revocations_stay_as_they_are(log, revoke):
    write(log, note("p", kind="project"), note("a"), note("b"))
    retract(log, "a", event_id="r1", **BY)
    redact(log, "b", event_id="r2", **BY)

    for target, kind in (("p", "project"), ("r1", "retract"), ("r2", "redact")):
        with pytest.raises(InputError, match=f"An event of kind {kind} stays as it is"):
            revoke(log, target, event_id="r3", **BY)


@pytest.mark.parametrize("revoke", [retract, redact])
def test_an_unknown_id_is_not_found(log, revoke):
    with pytest.raises(NotFoundError, match="no event 'nowhere'"):
        revoke(log, "nowhere", event_id="r", **BY)


@pytest.mark.parametrize("why", ["", "  ", "two\nlines", "x" * 401, "\x1b[31m"])
@pytest.mark.parametrize("revoke", [retract, redact])
def test_nothing_is_hidden_without_a_reason_on_one_line(log, revoke, why):
    write(log, note("a"))

    with pytest.raises(InputError, match="why"):
        revoke(log, "a", event_id="r", **{**BY, "why": why})


def test_the_reason_does_not_keep_the_secret(log):
    write(log, note("a", "x"))
    token = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5"

    event = redact(log, "a", event_id="r", **{**BY, "why": f"it held {token}"})

    assert token not in event.payload


def test_redacted_bytes_are_gone_from_the_file_and_its_write_ahead_log(sqlite_path):
    log = example_log(Sqlite(str(sqlite_path)))
    write(log, note("a", "correct horse battery staple " * 200, turn="horse line\n"), note("b"))

    redact(log, "a", event_id="r", **BY)

    log.database.close()
    for file in sqlite_path.parent.iterdir():
        assert b"horse" not in file.read_bytes(), file.name


def test_redacting_one_event_does_not_touch_another_stream(log):
    write(log, note("a", "x"), note("b", "y", stream="project/q", turn="B\n"))
    before = [table[-1] for table in projections(log)]

    redact(log, "a", event_id="r", **BY)

    assert [table[-1] for table in projections(log)] == before


def test_an_event_is_found_by_its_whole_id_or_by_one_end_of_it(log):
    whole = "01999999-0000-7000-8000-00000000000a"
    write(log, note(whole, "a"), note("01999999-0000-7000-8000-00000000000b", "b"), note("c", "c"))
    with log.database.snapshot() as reader:
        for text in (whole, whole[-12:], whole[-8:]):
            assert full_event_id(reader, text) == whole
        assert full_event_id(reader, "c") == "c"
        for unknown in ("0000000c", whole[-7:], "%%%%%%%%%%", "________", ""):
            with pytest.raises(NotFoundError, match="There is no event"):
                full_event_id(reader, unknown)
        with pytest.raises(InputError, match="Several events begin or end in '01999999'"):
            full_event_id(reader, whole[:8])
