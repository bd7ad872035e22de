from __future__ import annotations

import json
import os
import stat

import pytest

from agentjournal.engmem.writing.ledger_line import append_line

NAME = "telemetry.jsonl"


def test_a_line_is_appended_as_the_other_tools_write_it(tmp_path):
    assert append_line(tmp_path, NAME, {"query": "обʼєкт", "session_id": None}) is None
    assert append_line(tmp_path, NAME, {"n": 1, "hits": [{"id": "a-b", "score": 3.0}]}) is None
    assert (tmp_path / NAME).read_text() == (
        '{"query": "\\u043e\\u0431\\u02bc\\u0454\\u043a\\u0442", "session_id": null}\n'
        '{"n": 1, "hits": [{"id": "a-b", "score": 3.0}]}\n'
    )


def test_the_ledger_is_private(tmp_path):
    append_line(tmp_path, NAME, {})
    assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o600


def test_a_torn_last_line_is_closed_first(tmp_path):
    (tmp_path / NAME).write_bytes(b'{"n": 1}\n{"n": 2')
    assert append_line(tmp_path, NAME, {"n": 3}) is None
    assert (tmp_path / NAME).read_bytes() == b'{"n": 1}\n{"n": 2\n{"n": 3}\n'


def test_an_unpaired_surrogate_is_written_as_its_escape(tmp_path):
    assert append_line(tmp_path, NAME, {"query": "\ud800"}) is None
    assert json.loads((tmp_path / NAME).read_text()) == {"query": "\ud800"}


def test_nothing_is_written_through_a_link(tmp_path):
    other = tmp_path / "other"
    other.write_text("")
    (tmp_path / NAME).symlink_to(other)
    assert append_line(tmp_path, NAME, {"n": 1}) == (
        "telemetry.jsonl passes through a link or junction -- engmem writes only inside the store, "
        "so nothing was written"
    )
    assert other.read_text() == ""


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_file_is_a_reason_and_never_waited_for(tmp_path, make):
    make(tmp_path / NAME)
    assert append_line(tmp_path, NAME, {"n": 1})


def test_a_missing_store_is_a_reason(tmp_path):
    assert append_line(tmp_path / "none", NAME, {"n": 1}) == "There is no 'none' here."


def test_a_write_that_is_cut_short_is_a_reason_and_the_next_line_stands_alone(
    tmp_path, monkeypatch
):
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: real(fd, data[:4]))
    assert append_line(tmp_path, NAME, {"n": 1}) == "only 4 of 9 bytes were written"
    monkeypatch.undo()
    assert append_line(tmp_path, NAME, {"n": 2}) is None
    assert (tmp_path / NAME).read_bytes().splitlines() == [b'{"n"', b'{"n": 2}']
