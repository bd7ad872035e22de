"""Which store the servers of installed agent programs are started with."""

from __future__ import annotations

import json

import pytest

from agentjournal.engmem.install.entry import ServerCommand, is_ours, store_of
from agentjournal.engmem.install.target import Home, desktop_settings
from agentjournal.engmem.install.toml_block import block_added
from agentjournal.engmem.install.wiring import sandbox_note, wiring_lines


@pytest.fixture
def place(tmp_path):
    return Home(tmp_path, tmp_path, {})


def desktop(place, args):
    path = desktop_settings(place)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"mcpServers": {"engmem": {"command": "engmem", "args": args}}}))
    return path


def test_where_nothing_is_installed_that_is_said(place, tmp_path):
    assert wiring_lines(place, tmp_path) == ["mcp wiring: none found (claude-desktop, codex)"]


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["mcp", "--store", "/s"], "launches the MCP server with --store /s \u2014 matches"),
        (["mcp", "--store=/s"], "launches the MCP server with --store /s \u2014 matches"),
        (["mcp"], "without --store \u2014 it resolves the store at launch"),
        (["mcp", "--store", "s"], "a relative path"),
    ],
)
def test_an_entry_is_told_with_its_store(place, tmp_path, args, told):
    path = desktop(place, args)
    [line] = wiring_lines(place, tmp_path.joinpath("/s"))
    assert line.startswith(f"mcp wiring: claude-desktop: {path} ")
    assert told in line


def test_another_store_is_a_mismatch_with_the_way_to_change_it(place, tmp_path):
    desktop(place, ["mcp", "--store", "/other"])
    [line] = wiring_lines(place, tmp_path.joinpath("/s"))
    assert line.startswith("mismatch: ")
    assert line.endswith("run `engmem install --agent claude-desktop --store /s` to rewire it")


def test_settings_that_cannot_be_read_are_told_and_hide_no_other(place, tmp_path):
    desktop_settings(place).parent.mkdir(parents=True)
    desktop_settings(place).write_text("{")
    (tmp_path / ".codex").mkdir()
    command = ServerCommand("/python", tmp_path / "s")
    (tmp_path / ".codex" / "config.toml").write_bytes(block_added(None, "/python", command.args))
    first, second = wiring_lines(place, tmp_path / "s")
    assert "cannot be read: it is not valid JSON" in first
    assert second.endswith("matches")


def test_the_sandbox_of_codex_is_told_until_the_store_is_writable_in_it(place, tmp_path):
    (tmp_path / ".codex").mkdir()
    config = tmp_path / ".codex" / "config.toml"
    assert "writable_roots" in (sandbox_note(place, tmp_path / "s") or "")
    config.write_text(f'[sandbox_workspace_write]\nwritable_roots = ["{tmp_path}"]\n')
    assert sandbox_note(place, tmp_path / "s") is None
    config.write_text("broken =")
    assert sandbox_note(place, tmp_path / "s") is None


@pytest.mark.parametrize(
    "entry",
    [
        None,
        [],
        {},
        {"command": 1, "args": []},
        {"command": "x", "args": "mcp"},
        {"command": "x", "args": [1]},
        {"command": "x", "args": ["-m", "engmem.cli", "mcp", "--store", "/s"], "env": {}},
        {"command": "x", "args": ["-m", "engmem.cli", "mcp"]},
    ],
)
def test_what_nobody_of_us_wrote_is_not_ours(entry):
    assert not is_ours(entry)
    assert store_of(entry) in {None, "/s"}
