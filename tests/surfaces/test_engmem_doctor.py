"""`engmem doctor`: what it finds at a store, at an agent's files, and at the server that would start."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from support.documents import document, make_store

PROGRAMS = str(Path(sys.executable).parent)


@pytest.fixture
def engmem(shell, home, monkeypatch):
    text = document("2201-parcel-router", "## Decision Log\nNo retries.", entities="[ParcelRouter]")
    make_store(home / "engmem", {"2201-parcel-router.md": text})
    monkeypatch.setenv("PATH", f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}")
    (home / "here" / ".git").mkdir()

    def run(*args):
        return shell(*args, program="engmem")

    return run


def levels(answer):
    """Give the level of each subject; of several findings of one, the gravest."""
    rank = {"ok": 0, "unverified": 1, "warning": 2, "error": 3}
    found = {}
    for line in answer.out.splitlines()[1:]:
        level, subject, _ = line.split(": ", 2)
        found[subject] = max(found.get(subject, "ok"), level, key=rank.__getitem__)
    return found


def everything(home):
    """Give every file but the index that a server keeps in the user's cache."""
    found = (path for path in home.rglob("*") if path.is_file())
    return {path: path.read_bytes() for path in found if ".cache" not in path.parts}


def test_a_good_installation_is_told_so_and_left_as_it_is(engmem, home):
    engmem("install", "--agent", "codex")
    before = everything(home)
    answer = engmem("doctor", "--agent", "codex")
    assert answer.out.startswith(
        "engmem doctor --agent codex: 0 error(s), 1 warning(s), 1 unverified\n"
    )
    assert answer.code == 0
    assert levels(answer) == {
        "store": "ok",
        "sessions": "ok",
        "sessions write": "ok",
        "skill": "ok",
        "trigger rule": "ok",
        "engmem": "ok",
        "engmem command": "ok",
        "mcp entry": "ok",
        "mcp command": "ok",
        "mcp runtime": "unverified",
        "sandbox": "warning",
    }
    assert "8 tools, a call came back" in answer.out
    assert everything(home) == before


def test_what_is_missing_is_an_error_with_the_command_that_mends_it(engmem, home, monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    answer = engmem("doctor", "--agent", "codex", "--json")
    assert answer.code == 1
    wrong = {each["subject"] for each in answer.data if each["level"] == "error"}
    assert wrong == {"skill", "engmem command", "mcp entry"}
    missing = [each["detail"] for each in answer.data if each["subject"] == "skill"]
    assert all("run `engmem install --agent codex`" in each for each in missing)


def test_templates_that_are_old_edited_foreign_or_waiting_are_told_apart(engmem, home):
    engmem("install")
    folder = home / ".claude" / "commands"
    start, save = folder / "engmem.md", folder / "engmem.save.md"
    save.write_text(save.read_text().replace("workflow 1", "workflow 0"))
    start.write_text(start.read_text() + "mine\n")
    (folder / "engmem.save.quick.md").write_text("mine")
    out = engmem("doctor").out
    assert f"warning: template: {start} was changed by hand since v" in out
    assert f"warning: template: {save} follows a workflow older than this version's" in out
    assert "engmem.save.quick.md has no stamp" in out
    engmem("install")
    assert "engmem.md.engmem-new waits to be merged" in engmem("doctor").out


def test_an_entry_that_names_another_store_is_told_with_the_way_to_change_it(engmem, home):
    engmem("install", "--agent", "claude-desktop", "--store", str(home / "other"))
    answer = engmem("doctor", "--agent", "claude-desktop")
    assert levels(answer)["mcp entry"] == "warning"
    assert f"--store {home}/engmem` to change it" in answer.out


def test_a_server_that_does_not_start_is_an_error_and_a_foreign_one_is_never_started(engmem, home):
    engmem("install", "--agent", "claude-desktop")
    config = next((home / "Library").rglob("*.json"))
    entry = json.loads(config.read_text())
    ours = entry["mcpServers"]["engmem"]
    broken = {**ours, "command": str(home / "gone" / "python")}
    config.write_text(json.dumps({"mcpServers": {"engmem": broken}}))
    answer = engmem("doctor", "--agent", "claude-desktop")
    assert levels(answer)["mcp command"] == "error"
    assert answer.code == 1
    trap = home / "started"
    foreign = {"command": "/bin/sh", "args": ["-c", f"touch {trap}"]}
    config.write_text(json.dumps({"mcpServers": {"engmem": foreign}}))
    assert levels(engmem("doctor", "--agent", "claude-desktop"))["mcp entry"] == "warning"
    assert not trap.exists()


def test_a_server_whose_store_is_gone_fails_its_call(engmem, home):
    engmem("install", "--agent", "claude-desktop")
    (home / "engmem" / "sessions").rename(home / "engmem" / "moved")
    answer = engmem("doctor", "--agent", "claude-desktop")
    found = levels(answer)
    assert (found["sessions"], found["mcp command"]) == ("error", "error")
    assert "a call fails: store not found" in answer.out


def test_a_client_that_still_runs_an_older_version_is_told(engmem, home):
    engmem("install", "--agent", "claude-desktop")
    row = {"channel": "mcp", "engmem_version": "0.1.9"}
    (home / "engmem" / "telemetry.jsonl").write_text(json.dumps(row) + "\n")
    answer = engmem("doctor", "--agent", "claude-desktop")
    assert "answered by 0.1.9, this is" in answer.out
    assert levels(answer)["mcp runtime"] == "warning"


def test_what_stands_between_chatgpt_and_the_store_is_not_claimed_to_be_seen(engmem):
    found = levels(engmem("doctor", "--agent", "chatgpt"))
    assert found["mcp command"] == "ok"
    assert found["tunnel"] == found["public bridge"] == "unverified"


def test_a_repository_of_its_own_is_looked_at(engmem, home):
    engmem("install", "--local")
    assert engmem("doctor", "--local").code == 0
    assert engmem("doctor").code == 1


def test_a_store_without_documents_is_a_warning_and_one_that_is_missing_an_error(engmem, home):
    (home / "empty" / "sessions").mkdir(parents=True)
    found = levels(engmem("doctor", "--agent", "chatgpt", "--store", str(home / "empty")))
    assert (found["store"], found["sessions"]) == ("warning", "warning")
    (home / "engmem" / "sessions" / "broken.md").write_bytes(b"\xff")
    assert "broken.md" in engmem("doctor", "--agent", "chatgpt").out
    missing = engmem("doctor", "--agent", "chatgpt", "--store", str(home / "none"))
    assert levels(missing)["sessions"] == "error"
