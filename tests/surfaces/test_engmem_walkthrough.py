"""`engmem walkthrough`: an example that stands by itself, and the check whether it was carried out."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from support.documents import document

PROGRAMS = str(Path(sys.executable).parent)
DECISION = (
    "## Decision Log\n- Decision: weights are whole grams.\n- Reason: floats lost grams.\n"
    "- Source: demo_parcels/parcel.py"
)
GRAMS_OF = """

def grams_of(text):
    whole, _, part = text.partition(".")
    return int(whole) * 1000 + int((part + "000")[:3])
"""


@pytest.fixture
def engmem(shell, home, monkeypatch):
    monkeypatch.setenv("PATH", f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}")
    assert home.is_dir()

    def run(*args):
        return shell(*args, program="engmem")

    return run


@pytest.fixture
def demo(home):
    return home / "demo"


def save(demo, id_, *sections, **fields):
    text = document(id_, *(sections or (DECISION,)), **fields)
    (demo / "store" / "sessions" / f"{id_}.md").write_text(text)


def shown(demo, session, *ids):
    row = {"channel": "mcp", "session_id": session, "surfaced": list(ids), "result": "hit"}
    with (demo / "store" / "telemetry.jsonl").open("a") as file:
        file.write(json.dumps(row) + "\n")


def last(answer):
    return answer.out.splitlines()[-1]


def test_the_example_is_built_checked_and_its_steps_are_told(engmem, home, demo):
    engmem("install", "--agent", "codex")
    before = {path for path in home.rglob("*") if ".cache" not in path.parts}
    answer = engmem("walkthrough", "codex", "--dir", str(demo))
    assert answer.code == 0, answer.out
    assert f"CODEX_HOME={demo}/codex-home ENGMEM_HOME={demo}/store codex" in answer.out
    assert "step 6" in answer.out
    assert "0 error(s), 1 warning(s), 2 unverified" in answer.out  # only that its store is empty
    assert (demo / "parcels" / ".git").is_dir()
    after = {path for path in home.rglob("*") if ".cache" not in path.parts}
    assert {path for path in after - before if not path.is_relative_to(demo)} == set()
    (demo / "parcels" / "demo_parcels" / "parcel.py").write_text("mine")
    assert engmem("walkthrough", "codex", "--dir", str(demo)).code == 0
    assert (demo / "parcels" / "demo_parcels" / "parcel.py").read_text() == "mine"


def test_what_stands_in_the_way_is_named_before_any_step(engmem, demo):
    answer = engmem("walkthrough", "codex", "--dir", str(demo))
    assert answer.code == 1
    assert "(skill, skill, skill)" in last(answer)
    assert "step 1" not in answer.out


def test_the_codex_example_is_complete_when_its_record_was_recalled_and_its_check_passes(
    engmem, demo
):
    engmem("walkthrough", "codex", "--dir", str(demo))
    verify = ("walkthrough", "codex", "--dir", str(demo), "--verify")
    answer = engmem(*verify)
    assert answer.code == 1
    assert last(answer) == "NOT COMPLETE: 3 of 3 checks did not pass"
    assert "FAIL: grams_of is not in demo_parcels/parcel.py yet" in answer.out
    save(demo, "20261130-grams")
    shown(demo, "20261130-grams", "20261130-grams")
    assert last(engmem(*verify)) == "NOT COMPLETE: 2 of 3 checks did not pass"
    shown(demo, "20261201-typed", "20261130-grams")
    code = demo / "parcels" / "demo_parcels" / "parcel.py"
    written = code.read_text()
    code.write_text(written + "\n\ndef grams_of(text):\n    return int(float(text) * 1000)\n")
    assert "FAIL: 2.01 kg is 2009, not 2010" in engmem(*verify).out
    code.write_text(written + GRAMS_OF)
    answer = engmem(*verify)
    assert (answer.code, last(answer)) == (0, "PASS")


def test_a_decision_without_a_stated_reason_is_no_record(engmem, demo):
    engmem("walkthrough", "codex", "--dir", str(demo))
    save(
        demo,
        "20261130-grams",
        DECISION.replace("floats lost grams", "not stated in the available material"),
    )
    assert "missing: record" in engmem("walkthrough", "codex", "--dir", str(demo), "--verify").out


def test_the_handoff_is_complete_when_each_side_was_shown_the_others_record(engmem, home, demo):
    engmem("install", "--agent", "codex")
    built = engmem("walkthrough", "handoff", "--dir", str(demo))
    assert built.code == 0, built.out
    servers = json.loads((demo / "labels" / ".mcp.json").read_text())["mcpServers"]
    assert servers["engmem"]["args"][-1] == f"{demo}/store"
    assert (demo / "labels" / ".claude" / "commands" / "engmem.md").exists()
    verify = ("walkthrough", "handoff", "--dir", str(demo), "--verify")
    assert last(engmem(*verify)) == "NOT COMPLETE: 2 of 2 checks did not pass"
    save(demo, "20261130-grams", repos="[parcels]")
    save(demo, "20261201-labels", repos="[labels]")
    save(demo, "20261202-checked", repos="[parcels]")
    shown(demo, "20261201-labels", "20261130-grams")
    assert last(engmem(*verify)) == "NOT COMPLETE: 1 of 2 checks did not pass"
    shown(demo, "20261202-checked", "20261201-labels")
    assert last(engmem(*verify)) == "PASS"


@pytest.mark.parametrize("more", [[], ["--verify"]])
def test_a_folder_that_holds_something_else_is_refused(engmem, home, more):
    (home / "here" / "mine").write_text("x")
    answer = engmem("walkthrough", "codex", "--dir", ".", *more)
    assert answer.code == 2
    assert "was not built by `engmem walkthrough codex`" in answer.out
    assert [path.name for path in (home / "here").iterdir()] == ["mine"]


def test_an_unknown_example_is_refused(engmem, demo):
    answer = engmem("walkthrough", "emacs", "--dir", str(demo))
    assert answer.code == 2
    assert "no walkthrough for 'emacs'" in answer.out
    assert not demo.exists()
