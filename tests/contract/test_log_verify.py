"""Damage is found and named, never repaired; what is sound is sealed."""

from __future__ import annotations

import hashlib
import random
from dataclasses import replace

import pytest

from agentjournal.log.revoke import redact, retract
from agentjournal.log.seal import seal_pending
from agentjournal.log.verify import Tail, inspect, verify
from agentjournal.storage.sqlite import Sqlite
from agentjournal.storage.statement import parse_statement
from support.example_fold import AT, example_log, note, projections, write

BY = {"actor": "ada", "at": AT, "why": "it is wrong"}


@pytest.fixture
def log(database):
    return example_log(database)


def change(log, sql, **values):
    """Do what no program of ours does."""
    with log.database.transaction() as tx:
        assert tx.run(parse_statement("change", sql), **values) == 1


def faults(log):
    return [str(fault) for fault in inspect(log).faults]


def history(log):
    """Fill a store: a retracted and a redacted event, an unsealed tail, a second stream."""
    write(log, *(note(f"e{n}", f"words {n}", turn=f"line {n}\n") for n in range(1, 9)))
    write(log, note("q1", "other", stream="project/q"))
    retract(log, "e2", event_id="r1", **BY)
    redact(log, "e5", event_id="r2", **BY)
    assert verify(log).is_good


def test_a_sound_store_is_good_and_names_its_unsealed_tail(log):
    write(log, note("a"), note("b"), note("c", stream="project/q"))

    report = verify(log)

    assert report.is_good
    assert report.are_projections_compared
    assert (report.streams, report.events, report.seals) == (2, 3, 0)
    assert report.unsealed == (
        Tail(stream="project/p", first_seq=1, last_seq=2),
        Tail(stream="project/q", first_seq=1, last_seq=1),
    )


def test_an_empty_store_is_good(log):
    report = verify(log)

    assert (report.is_good, report.events, report.unsealed) == (True, 0, ())


def test_verify_seals_what_it_found_good(log):
    write(log, note("a"), note("b"))
    verify(log)
    write(log, note("c"))

    report = inspect(log)

    assert report.seals == 1
    assert report.unsealed == (Tail(stream="project/p", first_seq=3, last_seq=3),)


def test_verify_changes_nothing_in_a_damaged_store(log):
    write(log, note("a"), note("b"))
    change(log, "UPDATE {schema}event SET actor = 'eve' WHERE id = 'a'")

    first, second = verify(log), verify(log)

    assert not first.is_good
    assert first == second


def test_a_stream_is_sealed_when_256_events_wait(log):
    write(log, *(note(f"e{n}") for n in range(255)))
    assert seal_pending(log) == 0

    write(log, note("e255"))
    assert seal_pending(log) == 1
    assert seal_pending(log) == 0

    report = inspect(log)
    assert (report.seals, report.unsealed, report.faults) == (1, (), ())


def test_a_seal_covers_the_one_before_and_a_line_for_each_event(log, clock):
    sealed = ""
    for names in (["a", "b"], ["c"]):
        events = write(log, *(note(name) for name in names))
        clock.advance(1)
        seal_pending(log, minimum=1)
        lines = "".join(f"{each.seq} {each.recorded_at} {each.digest}\n" for each in events)
        sealed = hashlib.sha256((sealed + lines).encode()).hexdigest()

    seals = parse_statement("seals", "SELECT sha256 FROM {schema}seal ORDER BY first_seq")
    assert log.database.rows(seals)[-1] == {"sha256": sealed}


def test_every_one_of_300_flipped_bits_is_found(log):
    history(log)
    chance = random.Random(20260131)  # noqa: S311 - a repeatable choice
    rows = log.database.rows(parse_statement("all", "SELECT * FROM {schema}event ORDER BY id"))
    columns = ("payload", "turn", "actor", "at", "recorded_at", "digest", "kind")

    for _ in range(300):
        row = chance.choice(rows)
        column = chance.choice([name for name in columns if row[name]])
        flip(log, row, column, flipped(str(row[column]), log.database.engine, chance))
        report = inspect(log)
        flip(log, row, column, str(row[column]).encode())

        places = {(fault.where, fault.seq) for fault in report.faults}
        seqs = {row["seq"], 1} if column == "recorded_at" else {row["seq"]}  # 1: of its seal
        assert places & {(row["stream"], seq) for seq in seqs}, (row, column, report.faults)
    assert inspect(log).is_good


def flipped(text, engine, chance):
    while True:
        data = bytearray(text.encode())
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        if engine == "sqlite" or is_text(bytes(data)):
            return bytes(data)


def is_text(data):
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False


def flip(log, row, column, data):
    value = "CAST(:data AS TEXT)" if log.database.engine == "sqlite" else ":data"
    change(
        log,
        f"UPDATE {{schema}}event SET {column} = {value} WHERE stream = :stream AND seq = :seq",  # noqa: S608 - a column of ours
        stream=row["stream"],
        seq=row["seq"],
        data=data if log.database.engine == "sqlite" else data.decode(),
    )


@pytest.mark.parametrize("seq", [1, 4, 10])
def test_a_deleted_event_is_found(log, seq):
    history(log)

    change(log, "DELETE FROM {schema}event WHERE stream = 'project/p' AND seq = :seq", seq=seq)

    report = verify(log)

    assert any(str(fault).startswith(f"project/p seq {seq}: is gone") for fault in report.faults)


def test_an_event_appended_by_hand_is_found(log):
    [event] = write(log, note("a"))

    change(
        log,
        "INSERT INTO {schema}event (stream, seq, id, kind, actor, at, payload, digest, recorded_at)"
        " VALUES (:stream, 2, 'b', :kind, :actor, :at, :payload, :digest, :recorded_at)",
        **event.columns,
    )

    assert "project/p seq 2: lies beyond seq 1, the last that was written" in faults(log)
    assert "project/p seq 2: what it holds is not what its digest was made from" in faults(log)


def test_a_gap_is_named_with_its_length(log):
    history(log)

    for seq in (3, 4, 5):
        change(log, "DELETE FROM {schema}event WHERE stream = 'project/p' AND seq = :seq", seq=seq)

    assert "project/p seq 3: is gone, with all up to seq 5" in faults(log)


def test_a_deleted_unsealed_tail_is_found(log):
    history(log)
    write(log, note("a"), note("b"))

    change(log, "DELETE FROM {schema}event WHERE id = 'b'")

    assert faults(log) == ["project/p seq 12: is gone"]


def test_a_sealed_tail_taken_away_with_its_count_is_found(log):
    history(log)

    change(log, "DELETE FROM {schema}event WHERE id = 'r2'")
    change(log, "UPDATE {schema}stream SET last_seq = 9 WHERE stream = 'project/p'")

    assert "project/p seq 10: is sealed, but the last event that is there is 9" in faults(log)


def test_an_event_slipped_in_between_is_found(log):
    history(log)

    change(log, "UPDATE {schema}event SET seq = 11 WHERE id = 'e4'")

    assert "project/p seq 4: is gone" in faults(log)


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        (
            "UPDATE {schema}seal SET sha256 = :sha256 WHERE stream = 'project/p' AND first_seq = 9",
            "project/p seq 9: the seal over seq 9 to 10 does not match",
        ),
        (
            "UPDATE {schema}seal SET last_seq = 9 WHERE stream = 'project/p' AND first_seq = 9",
            "project/p seq 9: the seal over seq 9 to 9 does not match",
        ),
        (
            "DELETE FROM {schema}seal WHERE stream = 'project/p' AND first_seq = 9",
            "project/p: is sealed up to seq 8, but the table stream says 10",
        ),
        (
            "DELETE FROM {schema}seal WHERE stream = 'project/p' AND first_seq = 1",
            "project/p seq 9: its seal does not follow the one up to seq 0",
        ),
        (
            "DELETE FROM {schema}stream WHERE stream = 'project/q'",
            "project/q: has no row in the table stream",
        ),
    ],
)
def test_a_changed_seal_or_stream_row_is_found(log, sql, fault):
    write(log, *(note(f"e{n}", f"words {n}") for n in range(1, 9)))
    write(log, note("q1", stream="project/q"))
    verify(log)
    write(log, note("e9"), note("e10"))
    verify(log)

    change(log, sql, sha256="0" * 64)

    assert any(found.startswith(fault) for found in faults(log)), faults(log)


def test_an_event_that_cannot_be_read_is_named_and_the_others_are_checked(sqlite_path):
    log = example_log(Sqlite(str(sqlite_path)))
    history(log)

    change(
        log, "UPDATE {schema}event SET payload = CAST(:data AS TEXT) WHERE id = 'e3'", data=b"\xff"
    )
    change(log, "UPDATE {schema}event SET actor = 'eve' WHERE id = 'e4'")

    third, fourth = faults(log)
    assert third.startswith("project/p seq 3: cannot be read: A stored text is not UTF-8")
    assert fourth == "project/p seq 4: what it holds is not what its digest was made from"


def test_a_marker_is_accepted_as_it_was_left_and_only_so(log):
    history(log)

    change(log, "UPDATE {schema}event SET payload = :payload WHERE id = 'e5'", payload='{"v":1}')

    assert faults(log) == ["project/p seq 5: its marker is not the one that r2 left"]


def test_a_redacted_text_put_back_is_found(log):
    [written] = write(log, note("a", "secret"))
    redact(log, "a", event_id="r", **BY)

    change(
        log, "UPDATE {schema}event SET payload = :payload WHERE id = 'a'", payload=written.payload
    )

    assert faults(log) == ["project/p seq 1: still holds the text that r redacted"]


def test_a_marker_that_no_event_explains_is_found(log):
    write(log, note("a", "secret"))

    change(
        log,
        "UPDATE {schema}event SET payload = :payload WHERE id = 'a'",
        payload='{"redacted":"r","v":1}',
    )

    assert faults(log) == ["project/p seq 1: what it holds is not what its digest was made from"]


def test_a_payload_that_was_never_an_object_is_found(log):
    [event] = write(log, note("a"))
    forged = replace(event, payload="[1]")

    change(
        log,
        "UPDATE {schema}event SET payload = :payload, digest = :digest WHERE id = 'a'",
        payload=forged.payload,
        digest=forged.own_digest,
    )

    assert faults(log) == ["project/p seq 1: its payload is no JSON object"]


def test_an_event_that_cannot_be_projected_is_found(log, monkeypatch):
    write(log, note("a"), note("b"))

    def fail(_, event):
        raise KeyError(event.id)

    monkeypatch.setattr(log.folds[0], "apply", fail)

    assert faults(log) == ["project/p seq 1: cannot be projected: KeyError('a')"]


def test_a_revocation_of_nothing_is_found(log):
    write(log, note("r", kind="retract", event="nowhere"))

    assert faults(log) == ["project/p seq 1: names 'nowhere', which is not in this stream"]


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        (
            "UPDATE {schema}note SET words = 'other' WHERE id = 'e1'",
            "table note: row (project/p, 1) words is 'other', the log gives 'words 1'",
        ),
        ("DELETE FROM {schema}note WHERE id = 'e3'", "table note: row (project/p, 3) is missing"),
        (
            "INSERT INTO {schema}note (stream, seq, id, words) VALUES ('project/x', 1, 'x', '')",
            "table note: row (project/x, 1) was written by no event",
        ),
        (
            "UPDATE {schema}tally SET hidden = 9 WHERE stream = 'project/p'",
            "table tally: row (project/p) hidden is 9, the log gives 2",
        ),
    ],
)
def test_a_projection_changed_by_hand_is_found(log, sql, fault):
    history(log)
    before = projections(log)

    change(log, sql)

    report = verify(log)
    assert [str(found) for found in report.faults] == [fault]
    assert report.are_projections_compared
    assert projections(log) != before


def test_a_changed_row_is_found_on_every_page_of_a_long_projection(log):
    write(log, *(note(f"e{n}", stream=f"project/{n % 3}") for n in range(700)))

    for number in (0, 250, 450, 699):
        change(log, "UPDATE {schema}note SET words = 'other' WHERE id = :id", id=f"e{number}")
    change(log, "DELETE FROM {schema}note WHERE id = 'e500'")

    rows = [(0, 1), (0, 151), (0, 234), (1, 84), (2, 167)]
    assert [fault.split(")")[0] for fault in faults(log)] == [
        f"table note: row (project/{stream}, {seq}" for stream, seq in rows
    ]


def test_projections_of_a_damaged_log_are_not_compared(log):
    history(log)

    change(log, "UPDATE {schema}event SET payload = '{' WHERE id = 'e1'")
    change(log, "UPDATE {schema}note SET words = 'other' WHERE id = 'e2'")

    report = inspect(log)
    assert [(fault.where, fault.seq) for fault in report.faults] == [("project/p", 1)]
    assert not report.are_projections_compared


def test_a_thousand_faults_are_named_and_the_rest_is_counted(log):
    write(log, *(note(f"e{n}") for n in range(1003)))
    with log.database.transaction() as tx:
        tx.run(parse_statement("change", "UPDATE {schema}event SET actor = 'eve'"))

    report = inspect(log)

    assert (len(report.faults), report.more) == (1000, 3)
