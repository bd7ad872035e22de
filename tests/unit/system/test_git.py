from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from agentjournal.errors import ForeignProgramError, InputError
from agentjournal.system.git import head_commit, refuse_option, repository_root, run_git

if TYPE_CHECKING:
    from pathlib import Path

IDENTITY = ("-c", "user.name=t", "-c", "user.email=t@example.invalid")


def git(*arguments: str, cwd: Path) -> str:
    done = subprocess.run(["git", *IDENTITY, *arguments], cwd=cwd, check=True, capture_output=True)
    return done.stdout.decode()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    git("init", "-q", "-b", "main", str(folder), cwd=tmp_path)
    return folder


def test_the_root_is_found_from_below(repository: Path) -> None:
    (repository / "a" / "b").mkdir(parents=True)
    assert repository_root(repository / "a" / "b") == repository
    assert repository_root(repository) == repository


def test_a_folder_outside_has_no_root(tmp_path: Path) -> None:
    assert repository_root(tmp_path) is None


def test_a_bare_repository_has_no_root(tmp_path: Path) -> None:
    git("init", "-q", "--bare", "bare", cwd=tmp_path)
    assert repository_root(tmp_path / "bare") is None


def test_a_working_tree_claimed_elsewhere_is_no_root(repository: Path) -> None:
    for claimed in ("/", str(repository.parent)):
        git("config", "core.worktree", claimed, cwd=repository)
        assert repository_root(repository) is None


def test_a_linked_working_tree_is_its_own_root(repository: Path, tmp_path: Path) -> None:
    git("commit", "-q", "--allow-empty", "-m", "one", cwd=repository)
    git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "other", cwd=repository)
    assert repository_root(tmp_path / "linked") == tmp_path / "linked"


def test_the_head_is_none_before_the_first_commit_and_its_id_after(repository: Path) -> None:
    assert head_commit(repository) is None
    git("commit", "-q", "--allow-empty", "-m", "one", cwd=repository)
    assert head_commit(repository) == git("rev-parse", "HEAD", cwd=repository).strip()


def test_a_failing_command_is_an_answer(repository: Path) -> None:
    answer = run_git(["rev-parse", "nothing"], repository)
    assert answer.code != 0
    assert b"nothing" in answer.err


def test_bytes_go_in_and_come_out(repository: Path) -> None:
    written = run_git(["hash-object", "-w", "--stdin"], repository, stdin=b"\xff\n\0")
    read = run_git(["cat-file", "blob", written.out.decode().strip()], repository)
    assert read.out == b"\xff\n\0"


def test_a_missing_git_is_said(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ForeignProgramError, match="not installed") as refusal:
        run_git(["status"], repository)
    assert "Install git" in refusal.value.next


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(ForeignProgramError, match="gone"):
        run_git(["status"], tmp_path / "gone")


def test_a_command_that_does_not_end_is_stopped(repository: Path) -> None:
    os.mkfifo(repository / "pipe")
    with pytest.raises(ForeignProgramError, match=r"0\.2 seconds"):
        run_git(["hash-object", "--no-filters", "pipe"], repository, timeout=0.2)


@pytest.mark.parametrize("text", ["--output=/tmp/x", "-x", "", "a\0b"])
def test_what_looks_like_an_option_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="option"):
        refuse_option(text)


def test_a_plain_name_passes() -> None:
    assert refuse_option("main~3") == "main~3"


def test_variables_that_point_git_elsewhere_do_not_reach_it(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    assert repository_root(repository) == repository
