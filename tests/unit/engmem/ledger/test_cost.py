from __future__ import annotations

import json
import math

import pytest

from agentjournal.engmem.ledger.baseline import record_baseline
from agentjournal.engmem.ledger.cost import read_cost
from agentjournal.engmem.ledger.cost_row import Baseline
from agentjournal.errors import InputError, NotFoundError, StoreUnavailableError
from support import golden
from support.everyday import DRAFT, ROUTER, everyday_store, index_of
from support.ledgers import STAMP, cost_row, search_row, write_ledger


@pytest.fixture
def store(tmp_path):
    return everyday_store(tmp_path / "store")


def test_deliveries_baselines_and_gaps_are_told(store):
    write_ledger(
        store,
        "cost.jsonl",
        cost_row("search", bytes=1524, op_id="a"),
        cost_row("read", bytes=282, doc_id=ROUTER, op_id="b"),
        cost_row("read", bytes=282, doc_id=ROUTER, op_id="b"),
        cost_row("read", bytes=5000, session_id="other-session"),
        cost_row("baseline", tokens=1840, seconds=12.5, call_id="c1", op_id="d"),
        cost_row("baseline", tokens=1900, seconds=None, call_id="c1", op_id="e"),
        cost_row("baseline", tokens=None, seconds=3, call_id=None, op_id="f"),
        cost_row("read", bytes="9"),
        cost_row("baseline", tokens=0, seconds=None),
        "{",
    )
    write_ledger(store, "telemetry.jsonl", search_row(), search_row(), "{")
    golden.check("engmem_cost.txt", read_cost(store, DRAFT, is_known=True).text())


def test_a_search_that_measured_itself_counts_once(store):
    write_ledger(store, "telemetry.jsonl", search_row(delivered_bytes=900), search_row())
    write_ledger(store, "cost.jsonl", cost_row("search", bytes=100))
    cost = read_cost(store, DRAFT, is_known=True)
    assert (cost.searches.count, cost.searches.bytes, cost.unmeasured) == (2, 1000, 0)


def test_what_nobody_reported_is_missing_and_never_zero(store):
    told = read_cost(store, "no-such", is_known=False).text()
    assert "baseline: not reported by the client (missing data, not zero)" in told
    assert "note: no document of the store has this id" in told
    assert "savings: none claimed" in told


def test_a_baseline_is_written_as_other_tools_read_it(store):
    given = Baseline(session=DRAFT, tokens=1840, seconds=12, call_id="c1")
    told = record_baseline(store, index_of(store), given, STAMP)
    assert told == f"recorded the baseline of {DRAFT}: call c1, 1840 tokens, 12 s"
    [line] = (store / "cost.jsonl").read_text().splitlines()
    assert list(json.loads(line).items()) == [
        ("ts", "2026-11-30T09:00:00.000000+00:00"),
        ("engmem_version", "tool 1"),
        ("op_id", "op-1"),
        ("op", "baseline"),
        ("session_id", DRAFT),
        ("channel", "cli"),
        ("tokens", 1840),
        ("seconds", 12.0),
        ("call_id", "c1"),
        ("reported_by", "client"),
    ]


def test_a_blank_call_id_is_none(store):
    given = Baseline(session=DRAFT, tokens=5, call_id=" ")
    assert record_baseline(store, index_of(store), given, STAMP).endswith(": one call, 5 tokens")
    assert json.loads((store / "cost.jsonl").read_text())["call_id"] is None


@pytest.mark.parametrize(
    "figures",
    [
        {},
        {"tokens": 0},
        {"tokens": -3},
        {"tokens": 10**30},
        {"seconds": 0.0},
        {"seconds": math.inf},
        {"seconds": math.nan},
        {"tokens": 5, "call_id": "x" * 201},
    ],
    ids=str,
)
def test_a_figure_that_measures_nothing_is_refused_and_nothing_is_written(store, figures):
    with pytest.raises(InputError):
        record_baseline(store, index_of(store), Baseline(session=DRAFT, **figures), STAMP)
    assert not (store / "cost.jsonl").exists()


def test_a_baseline_belongs_to_a_document(store):
    with pytest.raises(NotFoundError, match="no document with id 'no-such'"):
        record_baseline(store, index_of(store), Baseline(session="no-such", tokens=5), STAMP)


def test_a_store_that_takes_no_line_says_so(store):
    (store / "cost.jsonl").mkdir()
    with pytest.raises(StoreUnavailableError, match="not recorded"):
        record_baseline(store, index_of(store), Baseline(session=DRAFT, tokens=5), STAMP)
