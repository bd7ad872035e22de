"""`engmem search`: hits that others parse, within 4,096 bytes, and a failure that a reader of stdout sees."""

from __future__ import annotations

import sys

import pytest

from support.documents import document, make_store


@pytest.fixture
def store(home):
    sections = (
        "## Decision Log\nCounts live in a table; rejected a CSV file.",
        "## Notes\n" + "x " * 900,
    )
    files = {f"{n}.md": document(f"2026-01-{n:02d}-counts", *sections) for n in range(1, 20)}
    return str(make_store(home / "elsewhere", files))


def test_each_hit_begins_with_its_id_and_all_of_it_stays_in_4096_bytes(shell, store):
    answer = shell("search", "csv", "counts", "--store", store, "--limit", "10", program="engmem")
    assert answer.code == 0
    hits = [line for line in answer.out.splitlines() if line.startswith("### ")]
    assert hits
    assert all(hit.startswith("### 2026-01-") and "-counts (" in hit for hit in hits)
    assert len(answer.out.encode()) <= 4096
    assert shell("engmem", "search", "csv", "counts", "--store", store).code == 0


def test_nothing_found_is_an_answer(shell, store):
    answer = shell("search", "kubernetes", "--store", store, program="engmem")
    assert answer.code == 0
    assert "### " not in answer.out


def test_a_store_that_is_not_there_is_said_on_both_streams(shell, home):
    answer = shell("search", "csv", "--store", str(home / "nowhere"), program="engmem")
    assert answer.code == 2
    assert answer.out == answer.err
    assert answer.out.startswith("error: store not found")
    told = shell("search", "csv", "--store", str(home / "nowhere"), "--json", program="engmem")
    assert told.error["kind"] == "not_found"


def test_on_a_terminal_a_failure_is_told_once(shell, home, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    answer = shell("search", "label", program="engmem")
    assert answer.code == 2
    assert answer.out == ""
    assert "store not found" in answer.err
