"""`engmem feedback` and `engmem cost` at the terminal."""

from __future__ import annotations

import pytest

from support.everyday import DRAFT, LOOKUP, OLD, ROUTER, everyday_store
from support.ledgers import search_row, write_ledger


@pytest.fixture
def store(home):
    root = everyday_store(home / "engmem")
    write_ledger(root, "telemetry.jsonl", search_row(delivered_bytes=1400))
    return root


def engmem(shell, *args):
    return shell(*args, program="engmem")


def test_a_verdict_is_recorded_and_summed_up(shell, store):
    recorded = engmem(shell, "feedback", "record", DRAFT, ROUTER, "helped", "--decision", "kept it")
    assert recorded.code == 0
    assert (
        recorded.out
        == f"recorded helped for {ROUTER} in session {DRAFT}, as the user's assessment\n"
    )
    engmem(shell, "read", ROUTER, "--session", DRAFT)
    told = engmem(shell, "feedback", "summary", "--session", DRAFT).out
    assert f"  helped: {DRAFT} -> {ROUTER} [read] (the user, over cli); decision: kept it\n" in told
    assert f"  unknown: {DRAFT} -> {OLD}\n" in told
    data = engmem(shell, "feedback", "summary", "--json").data
    assert data["counts"] == {"helped": 1, "not-applicable": 0, "harmful": 0, "unknown": 1}


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((DRAFT, LOOKUP, "helped"), "only finds are assessed"),
        ((DRAFT, ROUTER, "great"), "unknown assessment 'great'"),
        (("no-such", ROUTER, "helped"), "no document with id 'no-such'"),
        ((DRAFT, ROUTER, "helped", "--source", "x" * 1001), "source has 1001 characters"),
    ],
)
def test_a_verdict_that_cannot_stand_is_refused(shell, store, args, message):
    answer = engmem(shell, "feedback", "record", *args)
    assert answer.code == 2
    assert message in answer.out
    assert answer.out == answer.err
    assert not (store / "feedback.jsonl").exists()


def test_costs_are_what_was_printed(shell, store):
    read = engmem(shell, "read", ROUTER, "--session", DRAFT)
    engmem(shell, "cost", "record-baseline", DRAFT, "--tokens", "1840", "--call-id", "c1")
    told = engmem(shell, "cost", "summary", "--session", DRAFT)
    size = len(read.out.rstrip("\n").encode())
    assert f"  reads          1   {size} bytes\n" in told.out
    assert "  searches       1   1400 bytes\n" in told.out
    assert "baseline: call c1, 1840 tokens, reported by the client over cli\n" in told.out
    data = engmem(shell, "cost", "summary", "--session", DRAFT, "--json").data
    assert data["total"]["bytes"] == 1400 + size


@pytest.mark.parametrize(
    "figures", [(), ("--tokens", "0"), ("--seconds", "inf"), ("--seconds", "nan"), ("--tokens", "1.5")],
    ids=str,
)  # fmt: skip
def test_a_figure_that_measures_nothing_is_refused(shell, store, figures):
    assert engmem(shell, "cost", "record-baseline", DRAFT, *figures).code == 2
    assert not (store / "cost.jsonl").exists()


@pytest.mark.parametrize("name", ["telemetry.jsonl", "feedback.jsonl", "cost.jsonl"])
def test_a_ledger_that_cannot_be_read_is_2_and_never_zero(shell, store, name):
    (store / name).unlink(missing_ok=True)
    (store / name).mkdir()
    args = ("cost" if name == "cost.jsonl" else "feedback", "summary", "--session", DRAFT)
    answer = engmem(shell, *args)
    assert answer.code == 2
    assert answer.out == answer.err
    assert "unknown, not nothing" in answer.out


def test_a_store_that_takes_no_line_is_2(shell, store):
    (store / "cost.jsonl").mkdir()
    answer = engmem(shell, "cost", "record-baseline", DRAFT, "--tokens", "5")
    assert answer.code == 2
    assert "was not recorded" in answer.out
