"""What a brief quotes of past documents is a cost, and a store may keep documents out of briefs."""

from __future__ import annotations

import json

import pytest

from agentjournal.engmem.review.review import review
from support.documents import document, make_store

WORDS = "Count the stock in a table `stock.py`; rejected a CSV file because two writers tear it."


@pytest.fixture
def store(home, shell, plan_file):
    assert shell("plan", "add", "shop", str(plan_file)).code == 0
    files = {
        f"{id_}.md": document(id_, f"## Decision Log\n- Decision: {WORDS} {number}")
        for number, id_ in enumerate(("20260801-stock-table", "20260802-secret-stock"))
    }
    return make_store(home / "engmem", files)


def costs(store):
    path = store / "cost.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def quoted(answer, store):
    return {path.stem for path in (store / "sessions").iterdir() if path.stem in answer.out}


def test_a_brief_that_quotes_a_document_leaves_a_row_of_cost(shell, store):
    answer = shell("context", "shop", "T-001", "--brief")
    assert answer.code == 0
    rows = costs(store)
    assert {row["doc_id"] for row in rows} == quoted(answer, store) != set()
    assert {(row["op"], row["channel"]) for row in rows} == {("read", "brief")}
    assert all(0 < row["bytes"] < len(answer.out.encode()) for row in rows)
    [session] = {row["session_id"] for row in rows}
    assert session.endswith("-shop")
    assert session[:8].isdigit()
    assert review(store).recalled.sessions[0].briefs == len(rows)


def test_work_that_is_dispatched_leaves_it_too(shell, store):
    assert shell("run", "shop", "T-001", "--", "true").code == 0
    assert len(costs(store)) > 0
    before = len(costs(store))
    shell("resolve", "shop", "T-001", "--retry", "--why", "again")
    assert shell("run", "shop", "T-001").code == 0
    assert len(costs(store)) > before


def test_asking_for_the_context_alone_costs_nothing(shell, store):
    assert shell("context", "shop", "T-001").code == 0
    assert costs(store) == []


@pytest.mark.parametrize(
    ("setting", "left"),
    [
        ("never_in_brief = true", set()),
        ('never_in_brief = ["*-secret-*"]', {"20260801-stock-table"}),
        ("never_in_brief = false", {"20260801-stock-table", "20260802-secret-stock"}),
        ("", {"20260801-stock-table", "20260802-secret-stock"}),
    ],
)
def test_a_store_keeps_documents_out_of_briefs_and_not_out_of_answers(shell, store, setting, left):
    (store / "engmem.toml").write_text(setting)
    assert quoted(shell("context", "shop", "T-001", "--brief"), store) == left
    everything = {"20260801-stock-table", "20260802-secret-stock"}
    assert quoted(shell("tried", "count the stock in a CSV file"), store) == everything


@pytest.mark.parametrize("setting", ["never_in_brief = 5", "never_in_brief = [", "\0"])
def test_a_setting_that_cannot_be_read_keeps_everything_out_and_says_so(shell, store, setting):
    (store / "engmem.toml").write_text(setting)
    answer = shell("context", "shop", "T-001", "--brief")
    assert answer.code == 0
    assert quoted(answer, store) == set()
    assert "No document enters a brief: " in answer.err


def test_a_row_that_cannot_be_written_stops_nothing(shell, store, home):
    (store / "cost.jsonl").symlink_to(home / "elsewhere")
    answer = shell("context", "shop", "T-001", "--brief")
    assert answer.code == 0
    assert "was not noted" in answer.err
    assert not (home / "elsewhere").exists()
