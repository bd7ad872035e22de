"""The example worker: a brief in, jailed tools, a handoff out, its journal kept between runs."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from support.model_server import model_server

WORKER = Path(__file__).parents[2] / "examples" / "agent_worker.py"


def asks(name, **arguments):
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"id": f"c-{name}", "type": "function", "function": function}
    message = {"role": "assistant", "content": "", "tool_calls": [call]}
    return answer(message, "tool_calls")


def says(text):
    return answer({"role": "assistant", "content": text}, "stop")


def answer(message, reason):
    usage = {
        "prompt_tokens": 500,
        "completion_tokens": 9,
        "prompt_tokens_details": {"cached_tokens": 400},
    }
    return {
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": usage,
    }


@pytest.fixture
def engine(monkeypatch, home):
    with model_server() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("AGENT_OWNER", "agent/shop/worker")
        yield server


def work(shell, shop, task):
    return shell("run", shop, task, "--", sys.executable, str(WORKER))


def test_a_task_is_done_and_handed_off_with_its_usage(shell, shop, engine, home):
    for reply in (
        asks("list_dir"),
        asks("write_file", path="stock.py", content="print(9)\n"),
        asks(
            "hand_off", result="success", action="Counted the stock", current_state="It prints 9."
        ),
        says("Bye"),
    ):
        engine.says_json(reply)
    done = work(shell, shop, "T-001")
    assert done.code == 0, done.err
    assert (home / "here" / "stock.py").read_text() == "print(9)\n"
    assert "Counted the stock" in shell("history", shop).out
    exported = shell("db", "export").out
    assert '\\"cache_read_tokens\\":1600' in exported
    assert '\\"input_tokens\\":400' in exported
    first = json.loads(engine.bodies[0])
    assert [tool["function"]["name"] for tool in first["tools"]] == [
        "read_file",
        "list_dir",
        "write_file",
        "hand_off",
    ]
    assert "Count the stock" in first["messages"][1]["content"]


def test_a_model_that_says_nothing_useful_is_reported_honestly(shell, shop, engine):
    engine.says_json(says("I am a helpful assistant."))
    done = work(shell, shop, "T-001")
    assert done.code == 1
    assert "without a handoff" in shell("history", shop).out
    assert "I am a helpful assistant." in shell("context", shop, "T-001").out


def test_what_failed_is_ruled_out_for_the_next_worker(shell, shop, engine):
    failed = {
        "result": "failed",
        "action": "Tried a CSV file",
        "current_state": "Nothing is counted.",
        "next_step": "Use a table.",
        "ruled_out": "Keep the stock in a CSV file",
        "why": "Two writers lose rows.",
    }
    engine.says_json(asks("hand_off", **failed))
    engine.says_json(says("Bye"))
    assert work(shell, shop, "T-001").code == 1
    engine.says_json(says("I give up."))
    work(shell, shop, "T-001")
    asked = json.loads(engine.bodies[-1])["messages"]
    assert "Keep the stock in a CSV file" in asked[1]["content"]
    assert "The world: T-001" in asked[0]["content"]  # its own journal of the first run
    assert "I give up." in shell("journal", "export", "agent/shop/worker").out


def test_an_engine_that_is_down_is_an_attempt_with_a_handoff(shell, shop, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    done = work(shell, shop, "T-001")
    assert done.code == 1
    assert "Worked 0 rounds without a handoff" in shell("history", shop).out


def test_without_an_engine_it_says_what_to_set():
    environment = {name: value for name, value in os.environ.items() if "OPENAI" not in name}
    ended = subprocess.run(
        [sys.executable, WORKER],
        input="a brief",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "agent_worker: set OPENAI_BASE_URL to your engine's base URL.\n"


def test_a_weak_model_carries_a_plan_to_an_honest_escalated_end(shell, shop, engine):
    for _ in range(12):
        engine.says_json(says("hm"))
    worker = shlex.join([sys.executable, str(WORKER)])
    done = shell("loop", shop, "--worker", worker)
    assert done.code == 1, done.err
    assert "waits for a person" in shell("state", shop).out
    assert 1 <= len(engine.bodies) <= 3  # three attempts a task at most; the second needs the first
