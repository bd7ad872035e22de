"""The jail holds against names and links, and the self-check proves the promises."""

from __future__ import annotations

import json

import pytest

from agentjournal.agentloop.jail import READ_BYTES, Jail
from agentjournal.agentloop.self_check import self_check
from agentjournal.agentloop.tools import reading_tools, writing_tools
from agentjournal.errors import AgentJournalError, InputError


@pytest.fixture
def root(tmp_path):
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (inside / "a.txt").write_text("hé")
    (inside / "folder").mkdir()
    (inside / "link").symlink_to(tmp_path)
    (inside / "link.txt").symlink_to(tmp_path / "secret.txt")
    return inside


OUTSIDE = [
    "/etc/passwd",
    "../secret.txt",
    "folder/../../secret.txt",
    "link/secret.txt",
    "link.txt",
    "a.txt/b",
    "folder",
    "a\0b",
    "nothing",
    "~/x",
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_what_lies_outside_or_is_no_file_is_not_read(root, path):
    with pytest.raises(AgentJournalError):
        Jail(root).read(path)


@pytest.mark.parametrize("path", ["a.txt", "./a.txt", " a.txt "])
def test_a_file_is_read(root, path):
    assert Jail(root).read(path) == "hé"


def test_a_long_file_is_cut_at_a_character(root):
    (root / "long.txt").write_text("x" + "é" * READ_BYTES)
    text = Jail(root).read("long.txt")
    assert text.endswith("\n…[truncated]")
    assert "\ufffd" not in text
    assert len(text.removesuffix("\n…[truncated]").encode()) <= READ_BYTES


@pytest.mark.parametrize("path", ["", ".", "./"])
def test_a_folder_is_listed_sorted_folders_with_a_slash_links_left_out(root, path):
    assert Jail(root).names(path) == "a.txt\nfolder/"
    assert Jail(root).names("folder/") == "(empty directory)"


@pytest.mark.parametrize("path", ["..", "/", "link", "a.txt"])
def test_what_lies_outside_is_not_listed(root, path):
    with pytest.raises(AgentJournalError):
        Jail(root).names(path)


def test_a_file_is_written_whole_with_its_folders(root):
    jail = Jail(root)
    assert jail.write("new/deep/b.py", "print()\n") == "wrote 8 bytes to new/deep/b.py"
    assert jail.write("a.txt", "other").startswith("wrote 5")
    assert (root / "new" / "deep" / "b.py").read_text() == "print()\n"
    assert sorted(path.name for path in (root / "new" / "deep").iterdir()) == ["b.py"]


@pytest.mark.parametrize(
    "path",
    [
        "../x",
        "/etc/x",
        "link/x",
        "folder",
        "",
        ".git/config",
        ".Git/config",
        "a/.git/hooks/x",
        "a.txt/b",
    ],
)
def test_nothing_is_written_outside_or_over_a_folder(root, tmp_path, path):
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(AgentJournalError):
        Jail(root).write(path, "x")
    assert sorted(tmp_path.rglob("*")) == before


def test_a_link_is_replaced_and_not_written_through(root, tmp_path):
    Jail(root).write("link.txt", "mine")
    assert (tmp_path / "secret.txt").read_text() == "secret"
    assert not (root / "link.txt").is_symlink()


def test_a_file_that_is_too_large_is_refused(root):
    with pytest.raises(InputError, match="at most"):
        Jail(root).write("big", "x" * 2_000_000)


def test_reading_tools_only_read(root):
    assert [tool.name for tool in reading_tools(root)] == ["read_file", "list_dir"]
    read, names = reading_tools(root)
    assert read.run({"path": "a.txt"}) == "hé"
    assert names.run({}) == "a.txt\nfolder/"
    with pytest.raises(InputError, match="path must be a text"):
        read.run({"path": 3})


def test_definitions_are_the_same_bytes_each_time(root):
    first, second = (json.dumps(writing_tools(root).definitions()) for _ in range(2))
    assert first == second
    assert len(first) < 2000


def test_the_self_check_holds_each_promise():
    report = self_check()
    assert [check.name for check in report.checks] == [
        "reaches_final_via_real_tool",
        "append_only_prefix_extension",
        "metrics_parsed_from_headers",
        "path_jail_rejects_escape",
        "budget_arithmetic",
    ]
    assert report.passed
    assert report.data()["passed"] is True
