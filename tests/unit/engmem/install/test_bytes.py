"""What engmem puts into a file it takes out again, and no other byte ever moves."""

from __future__ import annotations

import json
import tomllib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agentjournal.engmem.install.entry import ServerCommand, is_ours
from agentjournal.engmem.install.json_entry import (
    entry_added,
    entry_removed,
    hook_added,
    hook_removed,
)
from agentjournal.engmem.install.toml_block import block_added, block_removed
from agentjournal.engmem.install.trigger import RULE, SENTINEL, rule_added, rule_removed
from agentjournal.errors import InputError

PYTHON = "/opt/a b/bin/python3"
COMMAND = ServerCommand(PYTHON, "/home/mé/store\u2028")
ENDINGS = st.sampled_from(["\n", "\r\n", "\r"])
MARKS = st.sampled_from(["", "\ufeff"])


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    """Draw an instructions file: any lines, any line end, with and without a last one."""
    end, mark = draw(ENDINGS), draw(MARKS)
    line = st.text(st.characters(exclude_characters="\r\n\ufeff", codec="utf-8"), max_size=12)
    return (mark + end.join(draw(st.lists(line, max_size=5)))).encode()


@st.composite
def objects(draw: st.DrawFn) -> bytes:
    """Draw a settings file that holds an object, written in any way JSON allows."""
    value = draw(
        st.dictionaries(
            st.sampled_from(["mcpServers", "hooks", "x", "é"]),
            st.just({}) | st.just({"other": {"command": "x"}}) | st.just({"SessionStart": []}),
        )
    )
    if draw(st.booleans()) and "hooks" in value:
        value["hooks"] = {"Stop": [1], "SessionStart": [{"hooks": [{"command": "mine"}]}]}
    indent, ascii_only = draw(st.sampled_from([None, 0, 2, 4, "\t"])), draw(st.booleans())
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    blanks = st.text(st.sampled_from(" \t\n"), max_size=2)
    text = text.replace("{}", "{" + draw(blanks) + "}").replace("[]", "[" + draw(blanks) + "]")
    text = draw(blanks) + text + draw(blanks)
    return (draw(MARKS) + text.replace("\n", draw(ENDINGS))).encode()


@given(texts())
@example(b"")
@example(b"x")
@example(b"x\r\n")
@example("\ufeff".encode())
def test_the_rule_goes_without_a_trace(before):
    after = rule_added(before)
    assert after.startswith(before)
    assert SENTINEL.encode() in after
    assert rule_added(after) == after
    assert rule_removed(after) == (before, 2)


@given(texts().filter(lambda text: b"engmem search" not in text), texts())
def test_what_a_user_writes_behind_the_rule_stays(before, more):
    after = rule_added(before) + b"\n" + more
    left, lines = rule_removed(after)
    assert lines == 2
    assert left is not None
    assert left.startswith(before)
    assert left.endswith(more)


def test_a_file_that_was_made_for_the_rule_goes_with_it():
    assert rule_removed(rule_added(None)) == (None, 2)
    left, _ = rule_removed(rule_added(None) + b"mine\n")
    assert left == b"mine\n"


def test_a_line_that_merely_names_the_search_keeps_the_rule_out_and_is_never_deleted():
    mine = b"I run `engmem search x` by hand.\n"
    assert rule_added(mine) == mine
    assert rule_removed(mine) == (mine, 0)


def test_the_older_wording_is_renewed_in_its_place():
    older = f"{RULE.partition(' --session')[0]}`"
    old = f"a\r\n{SENTINEL}\r\n{older}\r\nb\r\n"
    assert rule_added(old.encode()) == f"a\r\n{SENTINEL}\r\n{RULE}\r\nb\r\n".encode()
    assert rule_removed(old.encode()) == (b"a\r\nb\r\n", 2)


def test_instructions_that_are_not_utf_8_are_refused():
    with pytest.raises(InputError, match="not UTF-8"):
        rule_added(b"\xff")


@given(objects())
def test_a_server_entry_goes_without_a_trace(before):
    after = entry_added(before, COMMAND.entry, is_ours)
    told, was = json.loads(after.decode("utf-8-sig")), json.loads(before.decode("utf-8-sig"))
    assert told.pop("mcpServers") == {**was.pop("mcpServers", {}), "engmem": COMMAND.entry}
    assert told == was
    assert entry_added(after, COMMAND.entry, is_ours) == after
    assert entry_removed(after, is_ours) == before


@given(objects())
def test_a_hook_goes_without_a_trace(before):
    after = hook_added(before)
    told = json.loads(after.decode("utf-8-sig"))
    assert told["hooks"]["SessionStart"][-1]["hooks"][0]["command"] == "engmem draft status --hook"
    assert hook_added(after) == after
    assert hook_removed(after) == before


def test_a_settings_file_that_was_made_for_us_goes_with_our_entry():
    made = entry_added(None, COMMAND.entry, is_ours)
    assert json.loads(made) == {"mcpServers": {"engmem": COMMAND.entry}}
    assert entry_removed(made, is_ours) is None
    assert hook_removed(hook_added(None)) is None
    both = hook_added(made)
    assert hook_removed(both) == made


def test_a_server_added_beside_ours_stays_when_ours_goes():
    made = json.loads(entry_added(None, COMMAND.entry, is_ours))
    made["mcpServers"]["other"] = {"command": "x"}
    left = entry_removed(json.dumps(made, indent=2).encode(), is_ours)
    assert left is not None
    assert json.loads(left) == {"mcpServers": {"other": {"command": "x"}}}


def test_an_entry_is_renewed_with_what_the_user_added_to_it():
    older = {"command": "/bin/python3", "args": ["-m", "engmem.cli", "mcp", "--store", "/s"]}
    data = json.dumps({"mcpServers": {"engmem": older}}).encode()
    assert (
        json.loads(entry_added(data, COMMAND.entry, is_ours))["mcpServers"]["engmem"]
        == COMMAND.entry
    )
    ours = {**ServerCommand(PYTHON, "/old").entry, "env": {"A": "b"}}
    data = json.dumps({"mcpServers": {"engmem": ours}}).encode()
    renewed = json.loads(entry_added(data, COMMAND.entry, is_ours))["mcpServers"]["engmem"]
    assert renewed == {**COMMAND.entry, "env": {"A": "b"}}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b'"x"',
        b"\xff",
        b'{"mcpServers": []}',
        b'{"mcpServers": {"engmem": {"command": "mine", "args": []}}}',
        b'{"mcpServers": {}, "mcpServers": {}}',
        b'{"mcpServers": {"engmem": 1}}',
        b"[" * 100_000,
        b'{"a":' * 100 + b"1" + b"}" * 100,
    ],
)
def test_settings_that_do_not_parse_or_are_not_ours_are_refused(data):
    with pytest.raises(InputError):
        entry_added(data, COMMAND.entry, is_ours)


@pytest.mark.parametrize(
    "data",
    [b'{"hooks": []}', b'{"hooks": {"SessionStart": {}}}', b'{"hooks": {"SessionStart": [1]}}'],
)
def test_hooks_of_another_shape_are_refused(data):
    with pytest.raises(InputError):
        hook_added(data)


TOML = [
    "",
    "# mine",
    'model = "x"\n',
    'model = "x"',
    '[mcp_servers.other]\ncommand = "x"\n',
    '[sandbox_workspace_write]\nwritable_roots = ["/é"]\n\n',
]


@given(st.sampled_from(TOML), st.sampled_from(["\n", "\r\n"]), MARKS)
def test_the_block_in_codex_settings_goes_without_a_trace(text, end, mark):
    before = (mark + text.replace("\n", end)).encode()
    after = block_added(before, PYTHON, COMMAND.args)
    servers = tomllib.loads(after.decode("utf-8-sig"))["mcp_servers"]
    assert servers["engmem"] == COMMAND.entry
    assert block_added(after, PYTHON, COMMAND.args) == after
    assert block_removed(after) == before
    assert block_removed(block_added(None, PYTHON, COMMAND.args)) is None


def test_what_codex_added_below_our_lines_outlives_a_new_installation():
    made = block_added(None, PYTHON, ["-m", "engmem.cli", "mcp", "--store", "/s"]).decode()
    lines = made.splitlines()
    added = ["enabled = false", "", "[mcp_servers.engmem.tools]", "a = 1"]
    grown = "\n".join([*lines[:-1], *added, lines[-1], ""])
    renewed = block_added(grown.encode(), "/new", COMMAND.args)
    entry = tomllib.loads(renewed.decode())["mcp_servers"]["engmem"]
    assert entry == {"command": "/new", "args": COMMAND.args, "enabled": False, "tools": {"a": 1}}
    assert block_removed(renewed) is None


@pytest.mark.parametrize(
    "data",
    [
        b"a = ",
        b"\xff",
        b'[mcp_servers.engmem]\ncommand = "x"\n',
        b"mcp_servers = 1\n",
        b"mcp_servers = {}\n",
        b"a = " + b"9" * 5_000,
        b'mcp_servers.other = {command = "x"}\n[mcp_servers.x]\nbroken',
    ],
)
def test_codex_settings_that_do_not_parse_or_are_not_ours_are_refused(data):
    with pytest.raises(InputError):
        block_added(data, PYTHON, COMMAND.args)


def test_settings_that_are_sound_are_not_called_broken():
    with pytest.raises(InputError, match="cannot be added to its mcp_servers"):
        block_added(b"mcp_servers = {}\n", PYTHON, COMMAND.args)


def test_a_table_of_the_user_between_our_marks_is_not_taken_out():
    made = block_added(None, PYTHON, COMMAND.args).decode()
    end = made.rindex("# engmem")
    with pytest.raises(InputError, match="between the marks"):
        block_removed((made[:end] + "[mine]\na = 1\n" + made[end:]).encode())


def test_a_hook_that_stands_twice_goes_twice():
    hook = b'{"type": "command", "command": "engmem draft status --hook"}'
    twice = b'{"hooks": {"SessionStart": [{"hooks": [%s]}, {"hooks": [%s]}]}, "a": 1}' % (
        hook,
        hook,
    )
    left = hook_removed(twice)
    assert left is not None
    assert b"engmem" not in left
    assert json.loads(left)["a"] == 1
