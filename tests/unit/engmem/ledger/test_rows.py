from __future__ import annotations

import json
import os
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentjournal.engmem.ledger.assessment import assessments
from agentjournal.engmem.ledger.cost_row import cost_rows
from agentjournal.engmem.ledger.rows import LINE, ledger_rows
from agentjournal.engmem.ledger.search_row import searches
from agentjournal.errors import InputError
from support.ledgers import search_row, write_ledger

NAME = "telemetry.jsonl"
BAD = [
    "{bad",
    "[1]",
    "5",
    "null",
    '{"context_bytes": NaN}',
    "[" * 100_000,
    '{"a":' * 100_000,
    '{"context_bytes": ' + "9" * 5_000 + "}",
]


def test_a_ledger_that_nobody_wrote_is_empty(tmp_path):
    assert list(ledger_rows(tmp_path, NAME)) == []


@pytest.mark.parametrize("line", BAD, ids=lambda line: line[:20])
def test_a_line_that_is_no_object_is_told_and_hides_no_other(tmp_path, line):
    write_ledger(tmp_path, NAME, search_row(), line, "", search_row())
    rows = list(ledger_rows(tmp_path, NAME))
    assert [row is None for row in rows] == [False, True, False]


@pytest.mark.parametrize(
    "field",
    [
        {"channel": 7},
        {"result": []},
        {"surfaced": "x"},
        {"context_bytes": -1},
        {"context_bytes": True},
        {"context_bytes": 10**400},
        {"context_bytes": "9"},
        {"session_id": 5},
    ],
    ids=str,
)
def test_a_search_with_a_field_of_a_wrong_type_is_a_bad_line(tmp_path, field):
    text = json.dumps(search_row() | {k: v for k, v in field.items() if v != 10**400})
    if field.get("context_bytes") == 10**400:
        text = text.replace('"context_bytes": 700', '"context_bytes": 1' + "0" * 400)
    write_ledger(tmp_path, NAME, text)
    assert list(searches(tmp_path)) == [None]


def test_a_search_may_leave_every_field_out(tmp_path):
    write_ledger(tmp_path, NAME, {})
    [row] = searches(tmp_path)
    assert row is not None
    assert (row.channel, row.result, row.surfaced, row.context_bytes) == ("unknown", "", (), 0)


def test_what_is_not_utf8_is_refused_and_never_counted_as_nothing(tmp_path):
    (tmp_path / NAME).write_bytes(b'{"a": 1}\n\xff\n')
    with pytest.raises(InputError, match="line 2 is not UTF-8"):
        list(ledger_rows(tmp_path, NAME))


@pytest.mark.parametrize("kind", ["folder", "link", "pipe"])
def test_what_is_no_file_of_the_store_is_refused(tmp_path, kind):
    place = tmp_path / NAME
    match kind:
        case "folder":
            place.mkdir()
        case "link":
            (tmp_path / "other").write_text("{}\n")
            place.symlink_to(tmp_path / "other")
        case _:
            os.mkfifo(place)
    with pytest.raises(InputError, match="unknown, not nothing"):
        list(ledger_rows(tmp_path, NAME))


def test_parts_that_were_set_aside_come_first(tmp_path):
    write_ledger(tmp_path, "telemetry-20261101T101500.jsonl", {"n": 1})
    write_ledger(tmp_path, "telemetry-20261102T101500.jsonl", {"n": 2})
    write_ledger(tmp_path, NAME, {"n": 3})
    write_ledger(tmp_path, "telemetry-notes.jsonl", {"n": 4})
    assert [row and row["n"] for row in ledger_rows(tmp_path, NAME)] == [1, 2, 3]


def test_a_last_line_without_its_end_is_a_line(tmp_path):
    (tmp_path / NAME).write_bytes(b'{"n": 1}\n{"n": 2}')
    assert len([row for row in ledger_rows(tmp_path, NAME) if row]) == 2


def test_a_huge_line_is_skipped_without_being_held(tmp_path):
    with (tmp_path / NAME).open("wb") as file:
        for _ in range(20):
            file.write(b"x" * LINE)
        file.write(b"\n")
        file.write(b'{"n": 1}\n')
    tracemalloc.start()
    rows = list(ledger_rows(tmp_path, NAME))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert rows == [None, {"n": 1}]
    assert most < 5 * LINE


@given(st.binary(max_size=400))
def test_readers_of_any_bytes_say_at_most_that_they_cannot_read(tmp_path_factory, data):
    root = tmp_path_factory.mktemp("store")
    for name in (NAME, "cost.jsonl", "feedback.jsonl"):
        (root / name).write_bytes(data)
    for read in (searches, cost_rows, assessments):
        try:
            lines = len(list(read(root)))
        except InputError:
            continue
        assert lines <= data.count(b"\n") + 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["op", "bytes", "session_id", "channel", "surfaced", "tokens", "seconds"]
            )
            | st.text(max_size=3),
            inner,
            max_size=6,
        )
    ),
    max_leaves=8,
)


@given(st.lists(JSON, max_size=5))
def test_readers_of_any_values_take_or_count_each_line(tmp_path_factory, values):
    root = tmp_path_factory.mktemp("store")
    for name in (NAME, "cost.jsonl", "feedback.jsonl"):
        write_ledger(root, name, *(json.dumps(each) for each in values))
    for read in (searches, cost_rows, assessments):
        assert len(list(read(root))) == len(values)
