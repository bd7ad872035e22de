from __future__ import annotations

import subprocess

import pytest

from agentjournal.engmem.document import version_of
from agentjournal.engmem.writing.commit import commit_save, commits_saves, set_commits
from agentjournal.engmem.writing.completing import complete_draft
from agentjournal.engmem.writing.creating import create_draft
from agentjournal.engmem.writing.superseding import mark_superseded
from agentjournal.errors import ConfigurationError
from support.documents import document

DRAFT = document("a-b", status="draft", mode="daily").encode()
DONE = document("a-b", "## Decision Log\nJitter.", mode="daily").encode()


def git(root, *arguments):
    done = subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True)
    return done.stdout.decode().strip()


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A store with a repository, and a home that names nobody."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    folder = tmp_path / "store"
    (folder / "sessions").mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    return folder


def saves(root):
    create_draft(root, "a-b", DRAFT, mode="daily")
    complete_draft(root, "a-b", DONE, version_of(DRAFT))
    return mark_superseded(root, "a-b", "c-d", version_of(DONE))


def test_each_save_is_one_commit_of_that_document_only(root):
    set_commits(root, wanted=True)
    (root / "telemetry.jsonl").write_text("{}\n")
    (root / "staged.txt").write_text("somebody's own")
    git(root, "add", "staged.txt")
    told = saves(root)
    assert "not committed" not in told
    assert git(root, "log", "--format=%s %an <%ae>").split("\n") == [
        "engmem: a-b superseded by c-d engmem <engmem@localhost>",
        "engmem: save a-b engmem <engmem@localhost>",
        "engmem: draft a-b engmem <engmem@localhost>",
    ]
    assert git(root, "log", "--format=", "--name-only").split() == ["sessions/a-b.md"] * 3
    assert git(root, "status", "--porcelain", "staged.txt") == "A  staged.txt"


def test_a_store_that_nobody_asked_for_it_is_not_committed(root):
    saves(root)
    assert git(root, "status", "--porcelain", "sessions") == "?? sessions/"
    assert not commits_saves(root)


def test_what_was_asked_can_be_taken_back(root):
    set_commits(root, wanted=True)
    assert commits_saves(root)
    set_commits(root, wanted=False)
    assert not commits_saves(root)


def test_an_identity_of_the_user_is_used(root):
    git(root, "config", "user.name", "Ada")
    git(root, "config", "user.email", "ada@example.invalid")
    set_commits(root, wanted=True)
    create_draft(root, "a-b", DRAFT, mode="daily")
    assert git(root, "log", "--format=%an <%ae>") == "Ada <ada@example.invalid>"


def test_nothing_of_the_repository_is_run_and_nothing_signed(root):
    trap = root / ".git" / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {root}/ran\nexit 1\n")
    trap.chmod(0o755)
    hook = root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(trap.read_text())
    hook.chmod(0o755)
    (root / ".gitattributes").write_text("*.md filter=x\n")
    for name, value in {
        "core.fsmonitor": trap,
        "filter.x.clean": trap,
        "gpg.program": trap,
        "commit.gpgSign": "true",
        "core.editor": trap,
    }.items():
        git(root, "config", name, str(value))
    set_commits(root, wanted=True)
    told = create_draft(root, "a-b", DRAFT, mode="daily")
    assert "not committed" not in told
    assert not (root / "ran").exists()
    blob = subprocess.run(
        ["git", "cat-file", "blob", "HEAD:sessions/a-b.md"],
        cwd=root,
        check=True,
        capture_output=True,
    )
    assert blob.stdout == DRAFT


def test_a_store_inside_another_repository_is_not_committed_there(root):
    inner = root / "inner"
    (inner / "sessions").mkdir(parents=True)
    with pytest.raises(ConfigurationError, match="no git repository of its own"):
        set_commits(inner, wanted=True)
    git(root, "config", "agentjournal.commitSaves", "true")
    create_draft(inner, "a-b", DRAFT, mode="daily")
    assert git(root, "status", "--porcelain") == "?? inner/"


def test_a_repository_behind_a_link_is_not_committed(root, tmp_path):
    set_commits(root, wanted=True)
    (root / ".git").rename(tmp_path / "moved")
    (root / ".git").symlink_to(tmp_path / "moved")
    assert not commits_saves(root)


def test_a_save_whose_commit_fails_is_still_a_save(root):
    set_commits(root, wanted=True)
    (root / ".git" / "index.lock").write_text("")
    told = create_draft(root, "a-b", DRAFT, mode="daily")
    assert "\nnote: saved, but not committed (fatal: Unable to create" in told
    assert (root / "sessions" / "a-b.md").read_bytes() == DRAFT


def test_what_is_ignored_is_told_and_not_forced(root):
    set_commits(root, wanted=True)
    (root / ".gitignore").write_text("sessions/\n")
    (root / "sessions" / "a-b.md").write_bytes(DRAFT)
    assert "ignored" in (commit_save(root, "sessions/a-b.md", "x") or "")


def test_a_name_that_git_takes_for_a_pattern_commits_that_file_only(root):
    set_commits(root, wanted=True)
    for name in ("*.md", "a-b.md"):
        (root / "sessions" / name).write_text(name)
    assert commit_save(root, "sessions/*.md", "one") is None
    assert git(root, "log", "--format=", "--name-only").split() == ["sessions/*.md"]
    assert git(root, "status", "--porcelain") == "?? sessions/a-b.md"


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("config", "[broken", "bad config"),
        ("HEAD", "junk", "git repository"),
        ("config", "\n[core]\nworktree=/tmp\n", "not the working tree"),
    ],
)
def test_a_repository_that_cannot_take_a_save_is_told(root, file, text, told):
    set_commits(root, wanted=True)
    path = root / ".git" / file
    path.write_text(path.read_text() + text if "core" in text else text)
    answer = create_draft(root, "a-b", DRAFT, mode="daily")
    assert (root / "sessions" / "a-b.md").read_bytes() == DRAFT
    assert "note: saved, but not committed (" in answer
    assert told in answer
