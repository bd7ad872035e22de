"""Installing for an agent program and taking it out again: exactly our entries, and not a byte more."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tomllib

import pytest

from agentjournal.engmem.install.template import digest_of, stamp_of
from agentjournal.engmem.install.trigger import RULE, SENTINEL
from agentjournal.engmem.writing.commit import commits_saves

AGENTS = ["claude", "copilot-ide", "copilot-cli", "claude-desktop", "codex"]
DESKTOP = "Library/Application Support/Claude/claude_desktop_config.json"
WRITTEN = {
    "claude": [
        ".claude/CLAUDE.md",
        ".claude/commands/engmem.md",
        ".claude/commands/engmem.save.md",
        ".claude/commands/engmem.save.quick.md",
    ],
    "copilot-ide": [
        "here/.github/copilot-instructions.md",
        "here/.github/prompts/engmem.prompt.md",
        "here/.github/prompts/engmem.save.prompt.md",
        "here/.github/prompts/engmem.save.quick.prompt.md",
    ],
    "copilot-cli": [
        ".copilot/skills/engmem-save-quick/SKILL.md",
        ".copilot/skills/engmem-save/SKILL.md",
        ".copilot/skills/engmem/SKILL.md",
    ],
    "claude-desktop": [DESKTOP],
    "codex": [
        ".agents/skills/engmem-save-quick/SKILL.md",
        ".agents/skills/engmem-save/SKILL.md",
        ".agents/skills/engmem/SKILL.md",
        ".codex/AGENTS.md",
        ".codex/config.toml",
    ],
    "chatgpt": [],
}


@pytest.fixture
def engmem(shell, home):
    (home / "here" / ".git").mkdir()

    def run(*args):
        return shell(*args, program="engmem")

    return run


def files(home):
    """Give every file below the home but the store's, with its bytes and mode."""
    found = [path for path in home.rglob("*") if path.is_file()]
    ours = [path for path in found if not path.is_relative_to(home / "engmem")]
    return {str(each.relative_to(home)): (each.read_bytes(), each.stat().st_mode) for each in ours}


@pytest.mark.parametrize("agent", WRITTEN)
def test_an_installation_writes_its_own_files_says_which_and_takes_them_out(engmem, home, agent):
    answer = engmem("install", "--agent", agent)
    assert answer.code == 0
    assert answer.out.startswith(f"engmem installed: store={home}/engmem, agent={agent}\n")
    assert sorted(files(home)) == WRITTEN[agent]
    told = [
        line.removeprefix("wrote ") for line in answer.out.splitlines() if line.startswith("wrote")
    ]
    assert sorted(told) == [f"{home}/{path}" for path in WRITTEN[agent]]
    assert (home / "engmem" / "sessions").is_dir()
    assert (home / "engmem" / ".git").is_dir()
    removed = engmem("uninstall", "--agent", agent)
    assert removed.code == 0
    assert f"agent={agent}\n" in removed.out
    assert files(home) == {}
    assert (home / "engmem" / "sessions").is_dir()
    assert engmem("uninstall", "--agent", agent).code == 0


@pytest.mark.parametrize("agent", AGENTS)
def test_a_second_installation_changes_nothing(engmem, home, agent):
    engmem("install", "--agent", agent)
    before = files(home)
    again = engmem("install", "--agent", agent)
    assert again.code == 0
    assert files(home) == before
    assert "wrote" not in again.out


def test_files_that_were_there_come_back_to_the_byte_with_their_mode(engmem, home):
    given = {
        ".claude/CLAUDE.md": b"\xef\xbb\xbfmine\r\nno line end",
        ".claude/settings.json": b'{"model":"x", "hooks":{ }}',
        ".claude/commands/other.md": b"mine\n",
        DESKTOP: b'{\r\n    "mcpServers": {\r\n        "other": {"command": "x"}\r\n    }\r\n}\r\n',
        ".codex/AGENTS.md": b"",
        ".codex/config.toml": b'model = "x" # no line end',
        ".agents/skills/engmem/notes.txt": b"mine",
        "here/.github/copilot-instructions.md": "# é\n".encode(),
    }
    for name, data in given.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o640)
    real = home / "elsewhere.md"
    (home / ".claude" / "CLAUDE.md").rename(real)
    (home / ".claude" / "CLAUDE.md").symlink_to(real)
    before = files(home)
    for agent in AGENTS:
        hooks = ["--hooks"] if agent == "claude" else []
        assert engmem("install", "--agent", agent, *hooks).code == 0
    during = files(home)
    assert (home / ".claude" / "CLAUDE.md").is_symlink()
    assert all(
        during[name][0] != given[name]
        for name in given
        if "other" not in name and "notes" not in name
    )
    assert all(during[name][1] == before[name][1] for name in before)
    for agent in AGENTS:
        removed = engmem("uninstall", "--agent", agent)
        assert (removed.code, removed.out.splitlines()[0].split(":")[0]) == (
            0,
            "engmem uninstalled",
        )
    assert files(home) == before
    assert (home / ".claude" / "CLAUDE.md").is_symlink()


def test_the_counts_of_a_removal_are_told(engmem, home):
    engmem("install", "--hooks")
    engmem("install", "--agent", "codex")
    claude = engmem("uninstall").out
    assert claude.startswith(
        "engmem uninstalled: 3 template file(s) removed, 1 hook(s) removed, "
        "2 trigger rule line(s) removed, agent=claude\n"
    )
    assert f"store left untouched: {home}/engmem  (your documents" in claude
    assert f"removed {home}/.claude/CLAUDE.md" in claude
    nothing = engmem("uninstall").out
    assert "0 template file(s) removed, 0 trigger rule line(s) removed" in nothing
    assert "files for codex are present" in nothing
    assert "1 config entry(ies) removed" in engmem("uninstall", "--agent", "codex").out


def test_a_template_that_a_user_edited_stays_and_the_new_one_stands_beside_it(engmem, home):
    engmem("install")
    edited = home / ".claude" / "commands" / "engmem.md"
    mine = edited.read_bytes() + b"my own step\n"
    edited.write_bytes(mine)
    answer = engmem("install")
    assert answer.code == 2
    assert answer.out.startswith("engmem install incomplete: ")
    assert "\nconflict: " in answer.out
    assert edited.read_bytes() == mine
    beside = edited.with_name("engmem.md.engmem-new")
    assert stamp_of(beside.read_text()).name == "engmem.start"
    beside.write_text("half merged")
    engmem("install")
    assert beside.read_text() == "half merged"
    removed = engmem("uninstall")
    assert f"note: {edited} was changed by hand, so it stays" in removed.out
    assert edited.read_bytes() == mine
    assert beside.read_text() == "half merged"


def test_a_users_own_file_under_our_name_is_never_touched(engmem, home):
    mine = home / ".claude" / "commands" / "engmem.md"
    mine.parent.mkdir(parents=True)
    mine.write_bytes(b"my own command\n")
    assert engmem("install").code == 2
    assert engmem("uninstall").code == 0
    assert mine.read_bytes() == b"my own command\n"
    assert sorted(files(home)) == [".claude/commands/engmem.md"]


def test_an_older_template_that_nobody_edited_is_renewed(engmem, home):
    engmem("install")
    file = home / ".claude" / "commands" / "engmem.md"
    newest = file.read_bytes()
    older = "---\ndescription: old\n---\n# old\n"
    stamp = f"<!-- engmem-template: engmem.start v0.0.1 workflow 1 sha256:{digest_of(older)} -->\n"
    file.write_bytes(
        older.replace("---\n# old", f"---\n{stamp}# old").replace("\n", "\r\n").encode()
    )
    assert engmem("install").code == 0
    assert file.read_bytes() == newest


def test_what_the_clients_read_is_what_they_need(engmem, home):
    for agent in AGENTS:
        engmem("install", "--agent", agent)
    assert (home / ".claude" / "CLAUDE.md").read_text() == f"{SENTINEL}\n{RULE}\n"
    command = (home / ".claude" / "commands" / "engmem.md").read_text()
    front = command.splitlines()[:5]
    assert front[0] == front[3] == "---"
    assert front[4].startswith("<!-- engmem-template: engmem.start v")
    assert "$ARGUMENTS" in command
    skill = (home / ".copilot" / "skills" / "engmem-save-quick" / "SKILL.md").read_text()
    assert skill.startswith("---\nname: engmem-save-quick\ndescription: ")
    assert "/engmem.save" not in skill
    codex = (home / ".agents" / "skills" / "engmem" / "SKILL.md").read_text()
    assert "argument-hint" not in codex
    assert "$ARGUMENTS" not in codex
    assert "$engmem-save" in codex
    assert "/engmem." not in codex
    args = ["-P", "-m", "agentjournal.cli.engmem", "mcp", "--store", f"{home}/engmem"]
    entry = {"command": sys.executable, "args": args}
    assert json.loads((home / DESKTOP).read_text()) == {"mcpServers": {"engmem": entry}}
    settings = tomllib.loads((home / ".codex" / "config.toml").read_text())
    assert settings == {"mcp_servers": {"engmem": entry}}


def test_a_repository_can_be_wired_alone(engmem, home):
    assert engmem("install", "--local", "--hooks").code == 0
    assert sorted(files(home)) == [
        "here/.claude/commands/engmem.md",
        "here/.claude/commands/engmem.save.md",
        "here/.claude/commands/engmem.save.quick.md",
        "here/.claude/settings.local.json",
        "here/CLAUDE.md",
    ]
    assert engmem("uninstall", "--local").code == 0
    assert files(home) == {}


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--agent", "emacs"], "unknown agent 'emacs'. Next: Give one of claude, "),
        (["--agent", "codex", "--local"], "--local has no effect with --agent codex"),
        (["--agent", "claude-desktop", "--local"], "--local has no effect"),
        (["--agent", "copilot-cli", "--local"], "--local has no effect"),
        (["--agent", "chatgpt", "--local"], "--local has no effect"),
        (["--agent", "codex", "--hooks"], "--hooks is for --agent claude"),
    ],
)
def test_a_choice_that_does_not_fit_is_refused_on_both_streams(engmem, home, args, told):
    answer = engmem("install", *args)
    assert answer.code == 2
    assert told in answer.out
    assert answer.out == answer.err
    assert answer.out.count("\n") == 1
    assert not (home / "engmem").exists()


def test_outside_a_repository_nothing_is_written_into_the_folder(engmem, home):
    (home / "here" / ".git").rmdir()
    for args in (["--local"], ["--agent", "copilot-ide"]):
        assert "is not a git repository root" in engmem("install", *args).out
    assert files(home) == {}


@pytest.mark.parametrize(
    ("agent", "name", "data"),
    [
        ("claude-desktop", DESKTOP, b"{"),
        ("claude-desktop", DESKTOP, b'{"mcpServers": []}'),
        ("claude-desktop", DESKTOP, b'{"mcpServers": {"engmem": {"command": "mine"}}}'),
        ("codex", ".codex/config.toml", b"a = "),
        ("codex", ".codex/config.toml", b'[mcp_servers.engmem]\ncommand = "mine"\n'),
        ("claude", ".claude/CLAUDE.md", b"\xff"),
        ("claude", ".claude/settings.json", b'{"hooks": []}'),
    ],
)
def test_a_file_that_does_not_parse_or_is_not_ours_stops_everything(
    engmem, home, agent, name, data
):
    path = home / name
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    hooks = ["--hooks"] if agent == "claude" else []
    answer = engmem("install", "--agent", agent, *hooks)
    assert answer.code == 2
    assert answer.out.startswith(f"error: {path} was left as it is: ")
    assert list(files(home)) == [name]
    assert path.read_bytes() == data
    assert not (home / "engmem").exists()


def test_a_removal_that_fails_at_one_file_goes_on_with_the_others(engmem, home):
    engmem("install")
    rule = home / ".claude" / "CLAUDE.md"
    rule.write_bytes(b"\xff" + rule.read_bytes())
    answer = engmem("uninstall")
    assert answer.code == 2
    assert answer.out.startswith("engmem uninstall incomplete: 3 template file(s) removed")
    assert f"failed: {rule}" in answer.out
    assert list(files(home)) == [".claude/CLAUDE.md"]


def test_another_store_than_later_commands_find_is_told(engmem, home):
    answer = engmem("install", "--store", str(home / "other"))
    assert f"others find {home}/engmem" in answer.out


def test_chatgpt_gets_the_steps_of_the_tunnel_and_writes_nothing_but_the_store(engmem, home):
    out = engmem("install", "--agent", "chatgpt").out
    given = next(line for line in out.splitlines() if "--mcp-command" in line)
    command = shlex.split(shlex.split(given)[-1])
    assert command == [
        sys.executable,
        "-P",
        "-m",
        "agentjournal.cli.engmem",
        "mcp",
        "--store",
        f"{home}/engmem",
    ]
    assert files(home) == {}


def test_codex_home_is_where_codex_says_it_is(engmem, home, monkeypatch):
    monkeypatch.setenv("CODEX_HOME", str(home / "codex"))
    engmem("install", "--agent", "codex")
    assert (home / "codex" / "config.toml").exists()
    assert (home / "codex" / "AGENTS.md").exists()
    assert "writable_roots" in engmem("install", "--agent", "codex").out


def test_a_store_that_was_there_keeps_its_repository(engmem, home):
    store = home / "engmem"
    (store / "sessions").mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet", str(store)], check=True)
    before = (store / ".git" / "config").read_bytes()
    engmem("install")
    assert (store / ".git" / "config").read_bytes() == before
    assert not commits_saves(store)


def test_saves_are_committed_in_a_store_that_the_installation_made(engmem, home):
    engmem("install")
    assert commits_saves(home / "engmem")


def test_a_store_that_was_there_without_a_repository_gets_one_and_no_commits(engmem, home):
    (home / "engmem" / "sessions").mkdir(parents=True)
    engmem("install")
    assert (home / "engmem" / ".git").is_dir()
    assert not commits_saves(home / "engmem")


def test_a_file_that_never_names_us_stands_in_no_removals_way(engmem, home):
    engmem("install")
    settings = home / ".claude" / "settings.json"
    settings.write_bytes(b"{ broken")
    assert engmem("uninstall").code == 0
    assert settings.read_bytes() == b"{ broken"


def test_a_users_own_file_is_not_said_to_be_removed(engmem, home):
    path = home / ".claude" / "CLAUDE.md"
    path.parent.mkdir()
    path.write_text("mine\n")
    engmem("install")
    told = engmem("uninstall").out
    assert f"removed {path}" not in told
    assert f"took our own entry out of {path}" in told
    assert path.read_text() == "mine\n"


@pytest.mark.skipif(sys.platform != "linux", reason="a folder of Claude Desktop's Linux builds")
def test_on_linux_claude_desktop_is_wired_where_it_has_run(engmem, home):
    path = home / ".config" / "Claude" / "claude_desktop_config.json"
    path.parent.mkdir(parents=True)
    engmem("install", "--agent", "claude-desktop")
    assert json.loads(path.read_text())["mcpServers"]["engmem"]["args"]
    assert not (home / DESKTOP).exists()
    assert "matches" in engmem("store", "show").out
    engmem("uninstall", "--agent", "claude-desktop")
    assert not path.exists()


@pytest.mark.parametrize(("agent", "is_told"), [("codex", True), ("copilot-cli", False)])
def test_a_server_that_could_not_start_is_named_with_what_it_needs(
    engmem, monkeypatch, agent, is_told
):
    monkeypatch.setattr("agentjournal.cli.engmem_commands.install.find_spec", lambda _: None)
    answer = engmem("install", "--agent", agent)
    assert answer.code == 0
    assert ('pip install "agent-journal[mcp]"' in answer.out) is is_told
