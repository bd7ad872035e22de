"""A plan on a real, weak model: the loop ends honest, bounded and escalated, each attempt measured."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from support.engine import Engine

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(1800)]

WORKER = Path(__file__).parents[2] / "examples" / "agent_worker.py"
ATTEMPTS, ROUNDS = 3, 3
TASKS = ("T-001", "T-002", "T-003", "T-004")
PLAN = """\
# Shop

## Goal

Sell things.

## Tasks

### T-001 [P] Greet

Write `hello.txt` with the word hello, then hand off.

### T-002 [P] Count the stock

Write `stock.txt` with the number 9, then hand off.

### T-003 [P] Close the shop

Look at the folder, then hand off.

### T-004 Take an order

Depends on: T-001, T-002, T-003
"""


@pytest.fixture(scope="module")
def engine():
    started = Engine.start()
    yield started
    started.stop()


@pytest.fixture
def command(tmp_path):
    """Run our command in an empty home; give its exit code and what it printed."""
    folders = {f"XDG_{name}_HOME": str(tmp_path / name) for name in ("DATA", "CACHE", "CONFIG")}
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("AGENTJOURNAL", "OPENAI", "ANTHROPIC"))
    }
    environment = kept | folders | {"HOME": str(tmp_path), "AGENT_MODEL": Engine.model}
    environment |= {"AGENT_ROUNDS": str(ROUNDS), "AGENT_MAX_TOKENS": "96", "AGENT_WINDOW": "8192"}
    here = tmp_path / "here"
    here.mkdir()

    def run(*args: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-m", "agentjournal.cli", *args],
            capture_output=True,
            text=True,
            check=False,
            cwd=here,
            env=environment,
            stdin=subprocess.DEVNULL,
        )
        print(done.stderr)
        return done.returncode, done.stdout

    return run


def test_a_weak_model_carries_a_plan_to_an_honest_bounded_and_escalated_end(
    engine, command, tmp_path
):
    (tmp_path / "here" / "plan.md").write_text(PLAN)
    assert command("plan", "add", "shop", "plan.md")[0] == 0
    worker = shlex.join([sys.executable, str(WORKER)])
    loop = ("loop", "shop", "--worker", worker, "--proxy", engine.base_url, "--json")
    code, told = command(*loop)
    assert code == 1, "something waits for a person"
    end = json.loads(told)["data"]
    assert end["end"] == "blocked"
    assert set(end["counts"]) <= {"done", "blocked", "pending"}, "nothing is left under way"
    assert command("db", "verify")[0] == 0

    lines = [json.loads(line) for line in command("db", "export")[1].splitlines()]
    events = [line["event"] for line in lines if "event" in line]
    closes = [json.loads(event["payload"]) for event in events if event["kind"] == "close"]
    steps = [json.loads(event["payload"]) for event in events if event["kind"] == "step"]
    gated = {step["action"] for step in steps if step["result"] == "gated"}
    by_task = Counter(close["plan_ref"] for close in closes)
    done = {close["plan_ref"] for close in closes if close["result"] == "success"}
    assert len(closes) == end["dispatched"] <= ATTEMPTS * len(TASKS)
    assert max(by_task.values()) <= ATTEMPTS
    assert {close["end"] for close in closes} == {"handoff"}
    for task in by_task.keys() - done:
        assert by_task[task] == ATTEMPTS
        assert f"Escalated {task}: attempts used up (3)" in gated

    rows = json.loads(command("usage", "report", "--by", "owner", "--json")[1])["data"]["rows"]
    measured = {row["key"]: row for row in rows}
    for close in closes:
        row, said = measured.pop(close["attempt"]), close["token_usage"]
        print(close["plan_ref"], close["result"], row["calls"], row["input"], row["cached"])
        assert row["unmeasured"] == 0
        assert 1 <= row["calls"] <= ROUNDS
        assert (row["input"], row["cached"]) == (
            said["input_tokens"] + said["cache_read_tokens"],
            said["cache_read_tokens"],
        ), "the proxy and the worker count the same"
    assert not measured, "every call counts for an attempt"
    later = [row["share"] for row in rows if row["worst"]["tokens"] < row["input"]]
    assert len(later) >= len(closes) - 1, "only the first attempt finds a cold cache"
    _, shown = command("usage", "report", "--by", "task")
    print(shown)
    assert all(f"shop/{task}" in shown for task in by_task)
