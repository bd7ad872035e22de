"""A secret is replaced before anything is written, and every answer says so."""

from __future__ import annotations

import json
import sys

import pytest

KEY = "AKIAIOSFODNN7EXAMPLE"
SAID = "Replaced a secret: [redacted:aws-access-key]."
FAILED = {
    "result": "failed",
    "action": "Tried it",
    "current_state": "No.",
    "next_step": "Go on.",
    "ruled_out": [{"option": "One file", "why": "no"}],
}


@pytest.fixture
def is_clean(shell):
    def check():
        return KEY not in shell("db", "export").out

    return check


def test_in_a_plan(shell, plan_file, is_clean):
    plan_file.write_text(plan_file.read_text() + f"\nUse the key {KEY}.\n")
    assert SAID in shell("plan", "add", "shop", str(plan_file)).out
    assert is_clean()


def test_in_a_person_s_words(shell, shop, is_clean):
    assert SAID in shell("discover", shop, f"Change {KEY}").out
    assert SAID in shell("resolve", shop, "T-001", "--retry", "--why", f"{KEY} works").out
    form = json.dumps({**FAILED, "project_slug": shop, "plan_ref": "T-001"})
    step = shell("log", "--from", "-", stdin=form).out.strip()
    assert SAID in shell("ruled-out", "reopen", f"{step}#1", "--why", f"{KEY} works").out
    assert is_clean()


@pytest.mark.parametrize("is_valid", [True, False])
def test_at_a_worker_s_end(shell, shop, is_clean, is_valid):
    form = {**FAILED, "log": f"export AWS_KEY={KEY}"} | ({} if is_valid else {"more": 1})
    program = (
        f"import os; open(os.environ['AGENTJOURNAL_HANDOFF'], 'w').write({json.dumps(form)!r})"
    )
    assert SAID in shell("run", shop, "T-001", "--", sys.executable, "-c", program).err
    assert is_clean()
