"""`agentjournal proxy` and `loop --proxy`: what a person types, and what a worker finds."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import httpx
import pytest

from agentjournal.errors import ForeignProgramError
from agentjournal.orchestrator.proxy_process import running_proxy
from agentjournal.usage.file import open_measurements
from support.raw_engine import raw_engine

COMMAND = (sys.executable, "-m", "agentjournal.cli", "proxy", "--port", "0")
WORKER = """
import hashlib, json, os, sys, urllib.request
brief = sys.stdin.read()
for name, path in (("OPENAI_BASE_URL", "/chat/completions"), ("ANTHROPIC_BASE_URL", "/v1/messages")):
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": brief}]}).encode()
    urllib.request.urlopen(os.environ[name] + path, body).read()
digest = hashlib.sha256(os.environ["AGENTJOURNAL_ATTEMPT"].encode()).hexdigest()
with open(os.environ["AGENTJOURNAL_HANDOFF"], "w") as file:
    json.dump({"result": "success", "action": "Asked", "current_state": digest}, file)
"""


@pytest.fixture
def engine():
    with raw_engine() as running:
        yield running


@contextmanager
def started(*options: str, **environment: str):
    """Run the command as a person does, until the block ends."""
    with subprocess.Popen(
        [*COMMAND, *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def url_of(process) -> str:
    return json.loads(process.stdout.readline())["data"]["url"]


def test_it_says_where_to_point_agents_and_stops_on_a_signal(engine, home):
    with started("--upstream", engine.url + "/v1") as process:
        first = process.stdout.readline()
        url = first.split(" ")[0]
        assert first.startswith("http://127.0.0.1:")
        assert f"stands before {engine.url}/v1" in first
        assert process.stdout.readline() == f"  OPENAI_BASE_URL={url}/o/NAME/v1\n"
        httpx.post(f"{url}/o/ada/v1/chat/completions", content=b'{"model": "m", "messages": []}')
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
        assert process.stderr.read() == ""
    measured = open_measurements(home / "data" / "agentjournal" / "usage.db")
    assert [call.subject.owner for call in measured.calls()] == ["ada"]
    assert measured.lanes() == {(engine.url + "/v1", "m"): "reports_nonzero_only"}
    measured.database.close()


def test_ctrl_c_is_130(engine, home):
    with started("--upstream", engine.url, "--json") as process:
        url_of(process)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130


def test_a_broken_prefix_is_told_on_standard_error_at_once(engine, home):
    with started("--upstream", engine.url, "--json") as process:
        url = url_of(process)
        for second in range(2):
            system = {"role": "system", "content": f"It is 12:00:0{second}."}
            body = {"model": "m", "messages": [system, {"role": "user", "content": "word " * 50}]}
            httpx.post(f"{url}/o/ada/v1/chat/completions", json=body)
        told = process.stderr.readline()
    assert told.startswith("prefix broken: ada, turn 2: clock at messages[0].content, byte 13")


def test_engine_and_token_may_stand_in_the_users_settings_and_nowhere_else(engine, home, shell):
    config = home / "config" / "agentjournal" / "config.toml"
    config.parent.mkdir(parents=True)
    token = "t0ken-of-16-or-more"  # noqa: S105 - an invented one
    config.write_text(f'proxy_upstream = "{engine.url}"\nproxy_token = "{token}"\n')
    shown = shell("config")
    assert engine.url in shown.out
    assert token not in shown.out + shown.err
    with started("--json") as process:
        url = url_of(process)
        assert httpx.get(url + "/v1/models").status_code == 401
        answer = httpx.get(url + "/v1/models", headers={"X-Agentjournal-Token": token})
        assert answer.status_code == 200
    (home / "here" / ".agentjournal.toml").write_text('proxy_upstream = "http://evil.example"\n')
    refused = shell("proxy")
    assert refused.code == 2
    assert "nothing that a repository may set" in refused.err


@pytest.mark.parametrize(
    ("args", "environment", "said"),
    [
        ([], {}, "no engine to stand before"),
        (["--upstream", "ftp://x"], {}, "must begin with http"),
        (["--upstream", "http://h", "--host", "192.0.2.1"], {}, "on loopback only"),
        (["--upstream", "http://h"], {"AGENTJOURNAL_PROXY_TOKEN": "short"}, "16 to 256"),
    ],
)
def test_a_wrong_setting_is_said_and_exits_2(shell, monkeypatch, args, environment, said):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    answer = shell("proxy", *args)
    assert answer.code == 2
    assert said in answer.err
    assert "short" not in answer.err


def test_a_missing_extra_names_the_command_that_installs_it(home):
    program = (
        "import sys; sys.modules['uvicorn'] = None; from agentjournal.cli.main import main; "
        "main(['proxy', '--upstream', 'http://127.0.0.1:1'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert 'pip install "agent-journal[proxy]"' in done.stderr


def test_a_loop_measures_its_workers_per_task_and_attempt(engine, home, shell, shop):
    (home / "here" / "worker.py").write_text(WORKER)
    done = shell("loop", shop, "--worker", f"{sys.executable} worker.py", "--proxy", engine.url)
    assert done.code == 0, done.err
    measured = open_measurements(home / "data" / "agentjournal" / "usage.db")
    calls = [call.subject for call in measured.calls()]
    measured.database.close()
    assert [(each.project, each.task) for each in calls] == [
        (shop, "T-001"),
        (shop, "T-001"),
        (shop, "T-002"),
        (shop, "T-002"),
    ]
    steps = shell("history", shop, "--json").data["steps"]
    attempts = {step["handoff"]["current_state"] for step in steps}
    assert {each.attempt for each in calls} == attempts
    assert {each.owner for each in calls} == {each.attempt for each in calls}
    assert [one.target for one in engine.requests] == ["/v1/chat/completions", "/v1/messages"] * 2


def test_the_workers_of_a_loop_need_no_token_of_the_users_own_proxy(
    engine, home, shell, shop, monkeypatch
):
    monkeypatch.setenv("AGENTJOURNAL_PROXY_TOKEN", "t0ken-of-16-or-more")
    (home / "here" / "worker.py").write_text(WORKER)
    done = shell("loop", shop, "--worker", f"{sys.executable} worker.py", "--proxy", engine.url)
    assert done.code == 0, done.err
    assert len(engine.requests) == 4


def test_a_loop_whose_proxy_does_not_start_dispatches_nothing(shell, shop):
    answer = shell("loop", shop, "--worker", sys.executable, "--proxy", "nonsense")
    assert answer.code == 2
    assert "The proxy did not start" in answer.err
    assert "must begin with http" in answer.err


def test_the_proxy_of_a_loop_ends_with_it_however_it_ends(engine, home):
    with started("--upstream", engine.url, "--json", "--until-stdin-closes") as process:
        url_of(process)
        process.stdin.close()
        assert process.wait(20) == 0


def test_a_signal_ends_it_while_its_input_is_open(engine, home):
    with started("--upstream", engine.url, "--json", "--until-stdin-closes") as process:
        url_of(process)
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
        assert process.stderr.read() == ""


def test_a_program_that_is_no_proxy_is_an_error():
    with (
        pytest.raises(ForeignProgramError, match="said nothing"),
        running_proxy([sys.executable, "-c", ""], os.environ),
    ):
        pass
