"""`engmem mcp` as agent programs start it: a real process on real pipes."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters, stdio_client

from support.documents import document, make_store

COMMAND = [sys.executable, "-P", "-m", "agentjournal.cli.engmem", "mcp"]
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    text = document(
        "2201-parcel-router",
        "## Decision Log\nRejected retries inside ParcelRouteController: the caller owns them.",
        entities="[ParcelRouteController]",
    )
    return make_store(tmp_path / "store", {"2201-parcel-router.md": text})


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return kept | {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "cache")}


@pytest.fixture
def talk(store: Path, environment: dict[str, str], tmp_path: Path):
    """Send lines to a server, close its input, and give its frames, what it said, and how it ended."""

    def run(*lines: object, args: tuple[str, ...] = ()) -> tuple[list[Any], str, int]:
        sent = b"\n".join(
            line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines
        )
        done = subprocess.run(
            [*COMMAND, "--store", str(store), *args],
            input=sent + b"\n",
            capture_output=True,
            cwd=tmp_path,
            env=environment,
            check=False,
        )
        assert done.stdout.isascii()
        return (
            [json.loads(line) for line in done.stdout.splitlines()],
            done.stderr.decode(),
            done.returncode,
        )

    return run


def call(id_: int, name: str, **arguments: object) -> dict[str, object]:
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": params}


def text_of(frame: Any) -> str:
    return frame["result"]["content"][0]["text"]


def test_every_line_has_its_answer_before_the_server_ends_with_its_input(talk):
    bad = b'{"jsonrpc":"2.0","id":3,"method":"ping","params":{"x":"\\ud800"}}'
    frames, said, code = talk(
        INITIALIZE,
        READY,
        b"",
        b"not json",
        b"[1]",
        bad,
        {"jsonrpc": "2.0", "id": True, "method": "ping"},
        {"id": 4, "method": "ping"},
        {"method": "ping"},
        {"jsonrpc": "2.0", "id": "five", "method": "ping"},
        {"jsonrpc": "2.0", "id": 6, "method": "resources/list"},
        {"jsonrpc": "2.0", "method": "no/such"},
        call(7, "engmem_search", query="ParcelRouteController"),
        call(8, "engmem_search"),
    )
    assert (code, said) == (0, "")
    answers = {frame["id"]: frame for frame in frames if frame["id"] is not None}
    codes = [frame["error"]["code"] for frame in frames if frame["id"] is None]
    assert codes == [-32700, -32600, -32600, -32600]
    assert sorted(map(str, answers)) == ["0", "4", "6", "7", "8", "five"]
    assert answers[0]["result"]["protocolVersion"] == "2025-06-18"
    assert answers[0]["result"]["serverInfo"]["name"] == "engmem"
    assert answers["five"]["result"] == {}
    assert answers[4]["error"]["code"] == -32600
    assert answers[6]["error"]["code"] == -32601
    assert text_of(answers[7]).startswith("### 2201-parcel-router (")
    assert answers[8]["error"]["code"] == -32602


def test_a_missing_store_is_a_result_and_the_server_lives_on(talk, store):
    (store / "sessions").rename(store / "gone")
    frames, _, code = talk(INITIALIZE, READY, call(1, "engmem_search", query="x"))
    assert code == 0
    assert frames[1]["result"]["isError"] is True
    assert "store not found" in text_of(frames[1])


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_clients_of_both_eras_of_the_protocol_are_served(store, environment, mode):
    server = StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], "--store", str(store)], env=environment
    )

    async def run() -> None:
        async with Client(stdio_client(server), mode=mode) as client:
            expected = "2026-07-28" if mode == "auto" else "2025-11-25"
            assert client.protocol_version == expected
            assert len((await client.list_tools()).tools) == 8
            found = await client.call_tool("engmem_search", {"query": "ParcelRouteController"})
            assert found.content[0].text.startswith("### 2201-parcel-router (")
            (store / "sessions" / "3000-new.md").write_text(
                document(
                    "3000-new", "## Decision Log\nZebraLedger it is.", entities="[ZebraLedger]"
                )
            )
            found = await client.call_tool("engmem_search", {"query": "ZebraLedger"})
            assert found.content[0].text.startswith("### 3000-new (")
            assert (await client.get_prompt("engmem", {"task_description": "cache it"})).messages

    anyio.run(run)


def test_a_client_that_stops_reading_ends_the_server_in_peace(store, environment):
    process = subprocess.Popen(
        [*COMMAND, "--store", str(store)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    with process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        process.stdin.flush()  # its own end stays open: only the answer can tell
        assert process.wait(60) == 0
        assert process.stderr.read() == b"engmem-mcp: the client has closed the pipe\n"
        process.stdin.close()


def test_a_wrong_argument_or_setting_never_reaches_the_wire(talk, environment, tmp_path):
    _, said, code = talk(args=("--nope",))
    assert code == 2
    assert "--nope" in said
    setting = tmp_path / "home" / ".config" / "engmem" / "store"
    setting.parent.mkdir(parents=True)
    setting.write_text("relative\n")
    done = subprocess.run(COMMAND, capture_output=True, env=environment, input=b"", check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert str(setting) in done.stderr.decode()


def test_a_tool_answers_with_the_text_of_its_command(talk, store, environment, tmp_path):
    asked = {"query": "ParcelRouteController retries", "session_id": "20261130-some-task"}
    frames, _, _ = talk(
        INITIALIZE,
        READY,
        call(1, "engmem_search", **asked),
        call(2, "engmem_search_by_role", role="decisions", **asked),
        call(3, "engmem_read", id="2201-parcel-router", session_id="20261130-some-task"),
    )
    answers = {frame["id"]: frame for frame in frames}
    session = ("--session", "20261130-some-task", "--store", str(store))
    commands = {
        1: ("search", asked["query"], *session),
        2: ("search", asked["query"], "--role", "decisions", *session),
        3: ("read", "2201-parcel-router", *session),
    }
    for number, command in commands.items():
        done = subprocess.run(
            [*COMMAND[:-1], *command],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=environment,
            check=True,
        )
        assert text_of(answers[number]).rstrip("\n") == done.stdout.rstrip("\n")


def test_without_the_extra_the_command_says_how_to_install_it(environment):
    code = (
        "import sys; sys.modules['mcp'] = None; sys.modules['mcp_types'] = None\n"
        "from agentjournal.cli.engmem import main; main(['mcp'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env=environment, input=b"", check=False
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert 'pip install "agent-journal[mcp]"' in done.stderr.decode()


def test_no_depth_of_a_message_leaves_the_client_waiting(talk):
    nested = [b'{"a":' * depth + b"1" + b"}" * depth for depth in (60, 150, 250, 900)]
    start = b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"x":'
    frames, _, code = talk(INITIALIZE, READY, *(start + each + b"}}}" for each in nested))
    assert len(frames) == 1 + len(nested)
    assert code == 0


def test_ends_of_pipes_that_never_wait_are_waited_for(store, environment):
    there, here = os.pipe()
    os.set_blocking(there, False)
    with subprocess.Popen(
        [*COMMAND, "--store", str(store)], stdin=there, stdout=subprocess.PIPE, env=environment
    ) as process:
        os.close(there)
        assert process.stdout
        with os.fdopen(here, "wb", buffering=0) as wire:
            wire.write(json.dumps(INITIALIZE).encode() + b"\n")
            assert json.loads(process.stdout.readline())["id"] == 0
            wire.write(json.dumps(call(1, "engmem_search", query="retries")).encode() + b"\n")
            assert json.loads(process.stdout.readline())["id"] == 1
        assert process.wait(60) == 0


@pytest.mark.linux
def test_a_full_device_behind_standard_output_ends_the_server_in_peace(store, environment):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "--store", str(store)],
            input=json.dumps(INITIALIZE).encode() + b"\n",
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, b"engmem-mcp: No space left on device\n")


def test_a_wire_that_was_closed_before_the_start_is_told(store, environment):
    command = " ".join(shlex.quote(each) for each in [*COMMAND, "--store", str(store)])
    for closed in ("<&-", ">&-"):
        done = subprocess.run(
            ["sh", "-c", f"exec {command} {closed}"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment,
            check=False,
        )
        assert done.returncode == 2
        assert done.stderr.startswith(b"error: engmem mcp: standard input and output are the wire")


def test_a_huge_value_is_not_said_back_whole(talk):
    huge = "x" * 100_000
    frames, _, _ = talk(
        INITIALIZE,
        READY,
        call(1, "engmem_read", id=huge),
        call(2, "engmem_record_baseline", session_id=huge, tokens=1),
        call(3, "engmem_record_feedback", session_id=huge, doc_id="a", assessment="helped"),
        call(4, "engmem_record_feedback", session_id="a", doc_id="a", assessment=huge),
    )
    told = {frame["id"]: text_of(frame) for frame in frames if frame["id"]}
    assert len(told) == 4
    assert max(map(len, told.values())) < 1000
