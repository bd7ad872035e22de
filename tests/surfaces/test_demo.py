"""The demo: real workers, a real failure, a real kill, and claims that are derived again."""

from __future__ import annotations

import json
import re

import pytest

from agentjournal.demo import tell


def test_the_demo_passes_and_leaves_nothing_where_it_was_not_asked_to(shell, home):
    answer = shell("demo")
    assert answer.code == 0, answer.out
    assert answer.out.rstrip().endswith("PASS")
    assert "FAIL" not in answer.out
    assert "was killed (SIGKILL) in mid-task" in answer.err
    assert answer.out.count("======== boundary ========") == 1
    assert re.search(
        r"^1\. rejected: Save the pair counts as one JSON object", answer.out, re.MULTILINE
    )
    assert list((home / "here").iterdir()) == []
    assert not (home / "data").exists()


def test_the_demo_can_be_kept_and_looked_into(shell, home, monkeypatch):
    kept = home / "kept"
    assert shell("demo", "--keep", str(kept)).code == 0
    monkeypatch.setenv("AGENTJOURNAL_DATABASE", str(kept / "data" / "log.db"))
    assert "done 6" in shell("state", "tally").out
    closes = [line for line in shell("db", "export").out.splitlines() if '"kind":"close"' in line]
    assert len(closes) == 8
    assert json.loads(closes[0])


def test_a_demo_without_its_kill_does_not_pass(shell, monkeypatch):
    monkeypatch.setattr(tell, "PATIENCE_SECONDS", 0)
    answer = shell("demo")
    assert answer.code == 1
    assert answer.out.rstrip().endswith("FAIL")


@pytest.mark.parametrize("name", ["tally"])
def test_the_demo_refuses_a_folder_that_holds_one_already(shell, home, name):
    (home / "kept" / name).mkdir(parents=True)
    answer = shell("demo", "--keep", str(home / "kept"))
    assert answer.code != 0
    assert "kept" in answer.err
