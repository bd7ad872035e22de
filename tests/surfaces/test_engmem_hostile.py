"""Documents that try to stop a search, to lead it astray, or to speak in its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentjournal.engmem.store import BYTES
from agentjournal.text.visible import is_hidden
from support.documents import document, make_store
from support.hostile_documents import MEGABYTES, REFUSED, SHOWN, TEXT, put

GOOD = "20260901-good-doc"


@pytest.fixture
def store(home):
    good = document(GOOD, TEXT, entities="[ExportWorker]", title="Exports retry")
    return make_store(home / "store", {f"{GOOD}.md": good})


@pytest.fixture
def ask(shell, store):
    return lambda *args: shell(*args, "--store", str(store), program="engmem")


def lines_about(text, name):
    return [line for line in text.splitlines() if f"{name}.md" in line]


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_has_one_line_and_hides_no_other(ask, store, name):
    put(store / "sessions", name, REFUSED[name])
    answer = ask("search", "ExportWorker", "jittered", "backoff")
    assert answer.code == 0
    assert answer.out.startswith(f"### {GOOD} (")
    assert len(lines_about(answer.out, name)) == 1  # the agent reads standard output only
    assert "1 failed to load" in answer.out
    [line] = lines_about(answer.err, name)
    assert line.startswith(f"error: {name}.md: ")
    assert len(line) < 300


@pytest.mark.parametrize("name", SHOWN)
def test_what_can_be_read_speaks_for_itself_only(ask, store, name):
    put(store / "sessions", name, SHOWN[name])
    answer = ask("search", "ExportWorker", "jittered", "backoff")
    assert answer.code == 0
    assert f"\n### {GOOD} (" in f"\n{answer.out}"
    assert not {each for each in answer.out + answer.err if is_hidden(each)} - {"\n"}
    blocks = [line for line in answer.out.splitlines() if line.startswith("### ")]
    assert not [line for line in blocks if line.startswith("### 20990101-fake")]
    assert len(blocks) <= 2
    assert len(answer.out.encode()) <= 4096
    assert not Path("run").exists()  # what an object in YAML would have made


@pytest.mark.linux
def test_of_a_huge_file_no_more_is_read_than_a_document_may_have(ask, store):
    put(store / "sessions", "twenty-megabytes", REFUSED["twenty-megabytes"])
    ask("search", "warm")  # what is imported is read once
    (store / "sessions" / "twenty-megabytes.md").touch()
    before = _bytes_read()
    assert ask("search", "jittered").code == 0
    assert _bytes_read() - before < BYTES + 3_000_000 < MEGABYTES * 1024 * 1024


def _bytes_read() -> int:
    fields = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(fields["rchar"])


@pytest.mark.parametrize("command", ["verify", "review", "roles", "telemetry"])
def test_no_command_is_stopped_by_any_of_them(ask, store, command):
    for name, what in {**REFUSED, **SHOWN}.items():
        put(store / "sessions", name, what)
    answer = ask(command)
    assert answer.code in {0, 1}
    assert not {each for each in answer.out + answer.err if is_hidden(each)} - {"\n"}


@pytest.mark.parametrize("name", ["telemetry.jsonl", "cost.jsonl", "feedback.jsonl"])
def test_a_ledger_behind_a_link_is_neither_read_nor_written(ask, store, home, name):
    outside = home / "outside.jsonl"
    outside.write_text('{"session_id": "x", "op": "read", "bytes": 5}\n')
    (store / name).symlink_to(outside)
    answer = ask("search", "jittered", "backoff")
    assert (answer.code, f"### {GOOD} (" in answer.out) == (0, True)
    ask("review")
    assert outside.read_text().count("\n") == 1
