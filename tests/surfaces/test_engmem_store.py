"""`engmem store` and `engmem mode`: what is used, why, and no silent fall-back to another."""

from __future__ import annotations

import subprocess

import pytest

from support.documents import make_store

WIRING = "mcp wiring: none found (claude-desktop, codex)\n"


@pytest.fixture
def config(home, monkeypatch):
    monkeypatch.delenv("ENGMEM_HOME")
    return home / "config" / "engmem"


def saved(config, name, text):
    config.mkdir(parents=True, exist_ok=True)
    (config / name).write_bytes(text)


def test_without_any_choice_the_default_is_told(shell, config, home, monkeypatch):
    monkeypatch.setenv("ENGMEM_HOME", "  ")
    told = shell("store", "show", program="engmem")
    assert (told.code, told.out) == (
        0,
        f"store: {home}/Developer/engmem\n"
        f"source: default (no saved choice in {config}/store)\n"
        f"warning: {home}/Developer/engmem/sessions does not exist — run `engmem install` to create it\n"
        + WIRING,
    )


def test_a_saved_choice_is_used_and_told(shell, config, home):
    make_store(home / "kept", {})
    told = shell("store", "set", "~/kept", program="engmem")
    assert told.out == f"engmem store: saved {home}/kept in {config}/store\n"
    assert (config / "store").read_text() == f"{home}/kept\n"
    assert shell("store", "show", program="engmem").out == (
        f"store: {home}/kept\nsource: saved choice ({config}/store)\n{WIRING}"
    )


def test_what_comes_before_a_saved_choice_is_told(shell, config, home, monkeypatch):
    for name in ("kept", "other", "third"):
        make_store(home / name, {})
    shell("store", "set", str(home / "kept"), program="engmem")
    told = shell("store", "show", "--store", "../other", program="engmem")
    assert told.out == (
        f"store: {home}/other\nsource: --store\n"
        f"note: --store overrides the saved choice {home}/kept ({config}/store) for this command "
        f"only\n{WIRING}"
    )
    monkeypatch.setenv("ENGMEM_HOME", str(home / "third"))
    assert "source: ENGMEM_HOME\nnote: ENGMEM_HOME overrides the saved choice" in (
        shell("store", "show", program="engmem").out
    )
    assert f"note: ENGMEM_HOME={home}/third is set here and comes before the saved choice" in (
        shell("store", "set", str(home / "kept"), program="engmem").out
    )


def test_a_setting_behind_a_link_is_written_through(shell, config, home):
    config.mkdir(parents=True)
    (home / "dotfiles").write_text("/old\n")
    (config / "store").symlink_to(home / "dotfiles")
    shell("store", "set", "/new", program="engmem")
    assert (config / "store").is_symlink()
    assert (home / "dotfiles").read_text() == "/new\n"


@pytest.mark.parametrize("path", ["", "  ", "a\nb", "a\rb"])
def test_a_path_that_no_setting_can_hold_is_refused(shell, config, path):
    told = shell("store", "set", path, program="engmem")
    assert (told.code, told.out) == (2, told.err)
    assert told.out.startswith("error: engmem store set: ")
    assert not config.exists()


REWRITE = "run `engmem store set PATH` to rewrite it, or delete it to use the default"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"", "is empty"),
        (b"  \n", "is empty"),
        (b"rel\n", "holds 'rel', which is not an absolute path"),
        (b"/a\n/b\n", "must hold exactly one line, the store path"),
        (b"/a\0\n", "holds a NUL character"),
    ],
)
@pytest.mark.parametrize("command", [("search", "x"), ("roles",), ("store", "show")])
def test_a_wrong_saved_store_stops_every_command(shell, config, command, text, what):
    saved(config, "store", text)
    told = shell(*command, program="engmem")
    name = "engmem search" if command[0] == "search" else f"engmem {' '.join(command)}"
    assert (told.code, told.out) == (2, told.err)
    assert told.out == f"error: {name}: {config}/store {what} — {REWRITE}\n"


def test_a_saved_store_behind_a_dead_link_stops_every_command(shell, config):
    config.mkdir(parents=True)
    (config / "store").symlink_to("gone")
    told = shell("roles", program="engmem")
    assert told.out == (
        f"error: engmem roles: {config}/store is a link to a missing file — {REWRITE}\n"
    )


def test_a_wrong_saved_store_does_not_matter_where_another_is_named(shell, config, home):
    saved(config, "store", b"rel\n")
    make_store(home / "kept", {})
    assert shell("roles", "--store", str(home / "kept"), program="engmem").code == 0


def test_a_wrong_saved_store_can_be_replaced(shell, config, home):
    saved(config, "store", b"rel\n")
    assert shell("store", "set", str(home), program="engmem").code == 0


def test_the_mode_is_daily_until_another_is_saved(shell, config):
    told = shell("mode", "show", program="engmem").out.split("\n")
    assert told[:2] == ["mode: daily", f"source: default (no saved choice in {config}/mode)"]
    said = shell("mode", "set", "Research", program="engmem").out
    assert said.startswith(f"engmem mode: saved research in {config}/mode\nresearch: ")
    assert (config / "mode").read_text() == "research\n"
    told = shell("mode", "show", program="engmem").out.split("\n")
    assert told[:2] == ["mode: research", f"source: saved choice ({config}/mode)"]


def test_an_unknown_mode_is_refused(shell, config):
    told = shell("mode", "set", "weekly", program="engmem")
    assert (told.code, told.out) == (2, told.err)
    assert told.out == ("error: engmem mode set: unknown mode 'weekly' — one of daily, research\n")
    assert not config.exists()


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"", "is empty"),
        (b"weekly\n", "holds 'weekly', not one of daily, research"),
        (b"daily\nresearch\n", "must hold exactly one line, the mode"),
    ],
)
def test_a_wrong_saved_mode_is_an_error_and_never_daily(shell, config, text, what):
    saved(config, "mode", text)
    told = shell("mode", "show", program="engmem")
    assert (told.code, told.out) == (2, told.err)
    assert told.out == (
        f"error: engmem mode show: {config}/mode {what} — run `engmem mode set daily|research` to "
        "rewrite it, or delete it for daily\n"
    )


def test_commits_of_saves_are_turned_on_and_off_by_request(shell, home):
    root = make_store(home / "engmem", {})
    told = shell("store", "commits", "on", program="engmem")
    assert (told.code, "is no git repository of its own" in told.out) == (2, True)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    assert shell("store", "commits", "on", program="engmem").out == (
        f"engmem store: saves in {root} are committed\n"
    )
    assert "\ncommits: each save is a commit" in shell("store", "show", program="engmem").out
    shell("store", "commits", "off", program="engmem")
    assert "commits:" not in shell("store", "show", program="engmem").out
