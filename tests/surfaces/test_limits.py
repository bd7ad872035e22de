"""How often a task may come back is a setting, and every command goes by it."""

from __future__ import annotations

import sys

import pytest

CRASH = "import os; os.kill(os.getpid(), 9)"
SILENT = ""


def run(shell, shop, program):
    return shell("run", shop, "T-001", "--", sys.executable, "-c", program)


@pytest.mark.parametrize(
    ("name", "program", "word"),
    [
        ("MAX_CRASHES", CRASH, "ended without a word 1 times"),
        ("MAX_CONTRACTS_MISSING", SILENT, "no valid handoff 1 times"),
        ("MAX_ATTEMPTS", SILENT, "attempts used up (1)"),
    ],
)
def test_one_time_may_be_enough(  # noqa: PLR0917 - a table
    shell, shop, monkeypatch, name, program, word
):
    monkeypatch.setenv(f"AGENTJOURNAL_{name}", "1")
    run(shell, shop, program)
    assert f"T-001: {word}" in shell("state", shop).out
    assert run(shell, shop, program).code == 125


def test_more_times_may_be_allowed(shell, shop, monkeypatch):
    for name in ("MAX_CRASHES", "MAX_CONTRACTS_MISSING", "MAX_ATTEMPTS"):
        monkeypatch.setenv(f"AGENTJOURNAL_{name}", "9")
    for count in range(1, 5):
        assert run(shell, shop, (CRASH, SILENT)[count % 2]).code in (0, 137)
        assert f"T-001: {count} of 9" in shell("state", shop).out
