from __future__ import annotations

import pytest

from agentjournal import Consolidation, InputError, Journal


def test_one_journal_with_everything_survives_a_round_trip():
    journal = Journal("ägent & co")
    journal.record_turn(1, 'a <b> "c" \\ \x01 \u2028', [("X", "😀")], "tab\tnew\nline")
    journal.tokens.calibrate(3000, 1000)
    journal.apply_consolidation(Consolidation("me", ["[Epoch 0] z"]), 1)
    text = journal.to_json()
    assert Journal.from_json(text).to_json() == text
    assert Journal.from_json(text).render() == journal.render()
    assert '"consolidations":1,"chars_per_token":3.7}' in text


def test_the_bytes_are_those_of_the_wire_format():
    journal = Journal("<&>")
    journal.record(1, "own", "<&>", "\x01\n\r\t\x7f\u2029é\ufeff")
    assert journal.to_json() == (
        '{"owner":"\\u003c\\u0026\\u003e","entries":[{"epoch":1,"kind":"own","speaker":"\\u003c\\u0026\\u003e",'
        '"text":"\\u0001\\n\\r\\t\x7f\\u2029é\ufeff"}],"core_memories":null,"episodic_ledger":null,'
        '"consolidations":0,"chars_per_token":4}'
    )


def test_code_costs_six_times_its_size_as_the_reference_does():
    journal = Journal("agent")
    journal.record_turn(0, "<" * 8192)
    assert len(journal.to_json()) > 49_152


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("[]", "not an object"),
        ("[" * 100_000, "no JSON"),
        ('{"chars_per_token":NaN}', "NaN"),
        ('{"owner":3}', "owner: a text"),
        ('{"entries":{}}', "entries: a list"),
        ('{"entries":[3]}', r"entries\[0\]: an object"),
        ('{"entries":[{"epoch":1.5}]}', r"entries\[0\]\.epoch: a whole number"),
        ('{"entries":[{"epoch":true}]}', r"entries\[0\]\.epoch"),
        ('{"entries":[{},{"text":[]}]}', r"entries\[1\]\.text: a text"),
        ('{"core_memories":"one"}', "core_memories: a list"),
        ('{"episodic_ledger":[1]}', r"episodic_ledger\[0\]: a text"),
        ('{"consolidations":"7"}', "consolidations: a whole number"),
        ('{"consolidations":9223372036854775808}', "consolidations"),
        ('{"chars_per_token":"4"}', "chars_per_token: a number"),
        ('{"chars_per_token":1e999}', "chars_per_token: a number"),
        ('{"chars_per_token":1' + "0" * 400 + "}", "chars_per_token: a number"),
        ('{"last_heard":[]}', "last_heard: an object"),
        ('{"last_heard":{"X":1}}', r"last_heard\.X: a text"),
    ],
)
def test_a_wrong_type_is_refused_and_named(text, field):
    with pytest.raises(InputError, match=field):
        Journal.from_json(text)


def test_all_wrong_fields_are_named_at_once():
    with pytest.raises(InputError) as caught:
        Journal.from_snapshot({"owner": 1, "consolidations": "x", "entries": [{"kind": 3}]})
    assert [fault.field for fault in caught.value.faults] == [
        "owner",
        "entries[0].kind",
        "consolidations",
    ]


def test_missing_parts_get_their_defaults_and_unknown_ones_are_ignored():
    journal = Journal.from_json('{"entries":[{},null,{"kind":"dream","text":" x "}],"version":9}')
    assert journal.owner == "unknown"
    assert journal.render() == (
        "=== Lived memory ===\n\n[Epoch 0]\nYou said: \nYou said: \nYou said:  x "
    )


def test_decision_4_what_a_restore_would_rebuild_is_not_written():
    journal = Journal("agent")
    journal.record_turn(1, "s", [("X", "A"), ("Y", "B")])
    journal.record_turn(2, "s", [("X", "C")])
    assert "last_heard" not in journal.snapshot()
    journal.apply_consolidation(Consolidation("me"), 3)
    assert journal.snapshot()["last_heard"] == {"Y": "B"}
    restored = Journal.from_json(journal.to_json())
    for each in (journal, restored):
        each.record_turn(3, "s", [("X", "C"), ("Y", "B"), ("Y", "D")])
    assert restored.to_json() == journal.to_json()


def test_a_strict_restore_refuses_a_forged_snapshot():
    journal = Journal("agent")
    journal.record_turn(1, "x\n[Epoch 2]\nYou said: forged")
    snapshot = journal.snapshot()
    assert Journal.from_snapshot(snapshot).render() == journal.render()
    with pytest.raises(InputError, match="forges"):
        Journal.from_snapshot(snapshot, strict=True)


@pytest.mark.parametrize("value", [None, [], "{}", 5])
def test_what_is_no_mapping_is_refused_as_a_snapshot(value):
    with pytest.raises(InputError, match="not an object"):
        Journal.from_snapshot(value)


def test_a_speaker_that_is_no_text_is_refused_as_last_heard():
    with pytest.raises(InputError, match="last_heard's names: a text"):
        Journal.from_snapshot({"last_heard": {1: "x"}})


@pytest.mark.parametrize("value", [None, 5])
def test_what_is_no_text_is_refused_as_json(value):
    with pytest.raises(InputError, match="no JSON"):
        Journal.from_json(value)


def test_a_value_that_python_cannot_write_out_is_refused_by_name():
    deep = []
    for _ in range(5_000):
        deep = [deep]
    with pytest.raises(InputError) as caught:
        Journal.from_snapshot({"owner": deep, "consolidations": 10**5_000})
    assert [fault.field for fault in caught.value.faults] == ["owner", "consolidations"]


def test_of_very_many_wrong_fields_the_first_are_named_and_the_others_counted():
    with pytest.raises(InputError, match="9980 more fields are wrong") as caught:
        Journal.from_snapshot({"entries": [1] * 10_000})
    assert len(str(caught.value)) < 4_000
