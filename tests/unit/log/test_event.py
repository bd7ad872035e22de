from __future__ import annotations

import hashlib

import pytest

from agentjournal.errors import DamagedError, InputError
from agentjournal.log.event import Event, draft
from agentjournal.log.fold import Table
from support.example_fold import AT, note


def test_the_digest_is_the_sha256_of_the_canonical_array_of_what_the_writer_says():
    written = draft(
        stream="project/p",
        id="e-1",
        kind="step",
        actor="ada",
        at=AT,
        payload={"b": "é", "a": 1},
        turn="one\n",
    )

    array = (
        '["project/p","e-1","step","ada","2026-01-02T03:04:05.000006Z",'
        '"{\\"a\\":1,\\"b\\":\\"é\\"}","one\\n"]'
    )
    assert written.payload == '{"a":1,"b":"é"}'
    assert written.digest == hashlib.sha256(array.encode()).hexdigest()


def test_the_digest_of_an_event_without_a_turn_differs_from_one_with_an_empty_turn():
    assert note("a").digest != note("a", turn="").digest


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("stream", ""),
        ("stream", "project/\n"),
        ("id", "x" * 201),
        ("actor", "\x1b[0m"),
        ("kind", "closed"),
        ("at", "2026-01-02T03:04:05Z"),
        ("at", "2026-01-02T03:04:05.000006+00:00"),
        ("at", "٢٠٢٦-01-02T03:04:05.000006Z"),
    ],
)
def test_a_column_that_breaks_its_rule_is_refused_by_name(column, value):
    columns = {"stream": "project/p", "id": "e", "kind": "step", "actor": "ada", "at": AT}

    with pytest.raises(InputError) as refusal:
        draft(**{**columns, column: value}, payload={})

    assert [fault.field for fault in refusal.value.faults] == [column]


def test_every_broken_rule_is_named_at_once():
    with pytest.raises(InputError) as refusal:
        draft(stream="", id="", kind="none", actor="", at="now", payload={})

    fields = {fault.field for fault in refusal.value.faults}
    assert fields == {"stream", "id", "kind", "actor", "at"}


def test_a_payload_without_canonical_json_is_refused_before_any_lock():
    with pytest.raises(InputError):
        note("a", half=0.5)


def test_the_body_of_a_payload_that_is_no_object_is_damage():
    values = {**vars(note("a")), "seq": 1, "recorded_at": AT}

    for payload in ("[1]", "{", ""):
        with pytest.raises(DamagedError, match="event a of project/p"):
            _ = Event(**{**values, "payload": payload}).body


def test_an_event_whose_text_cannot_be_digested_has_no_digest_of_its_own():
    values = {**vars(note("a")), "seq": 1, "recorded_at": AT}

    assert Event(**{**values, "turn": "\0"}).own_digest == ""
    assert Event(**values).own_digest == values["digest"]


def test_a_table_is_named_by_plain_words():
    with pytest.raises(ValueError, match="no name of a table"):
        Table("note; DROP TABLE event", ("id",))
