"""F19: whatever a repository's own configuration names, our git starts none of it."""

from __future__ import annotations

import shlex
import subprocess
from typing import TYPE_CHECKING

import pytest

from agentjournal.system.git import head_commit, repository_root, run_git

if TYPE_CHECKING:
    from pathlib import Path

IDENTITY = ("-c", "user.name=t", "-c", "user.email=t@example.invalid")
READS = (
    ("status", "--porcelain"),
    ("diff",),
    ("diff", "--name-only", "HEAD"),
    ("diff", "--cached"),
    ("diff-index", "-p", "HEAD"),
    ("diff-files", "-p"),
    ("log", "-p", "--stat"),
    ("log", "-1", "--format=%H%x00%s%x00%(trailers)"),
    ("show", "HEAD"),
    ("diff-tree", "-p", "HEAD~1", "HEAD"),
    ("blame", "file.txt"),
    ("grep", "-n", "text"),
    ("ls-files", "--modified", "--others"),
    ("ls-tree", "-r", "HEAD"),
    ("cat-file", "--batch-all-objects", "--batch-check"),
    ("rev-list", "--objects", "HEAD"),
    ("hash-object", "file.txt"),
    ("rev-parse", "HEAD"),
)
WRITES = (
    ("add", "--", "file.txt"),
    ("commit", "-q", "--allow-empty", "-m", "by us"),
)


def git(*arguments: str, cwd: Path, fails: bool = False) -> None:
    subprocess.run(
        ["git", *IDENTITY, *arguments], cwd=cwd, check=not fails, capture_output=True, timeout=30
    )


class Trap:
    """A repository whose configuration starts one program, which leaves a mark when it runs."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "repository"
        self.mark = folder / "it-ran"
        self.program = folder / "evil"
        self.program.write_text(f"#!/bin/sh\necho ran >> {shlex.quote(str(self.mark))}\ncat\n")
        self.program.chmod(0o755)
        git("init", "-q", "-b", "main", str(self.root), cwd=folder)
        for text in ("first text\n", "second text\n"):
            (self.root / "file.txt").write_text(text)
            git("add", ".", cwd=self.root)
            git("commit", "-q", "-m", text.strip(), cwd=self.root)
        (self.root / "file.txt").write_text("third text\n")

    def configure(self, name: str, value: str | None = None) -> None:
        git("config", name, value or str(self.program), cwd=self.root)

    def attribute(self, line: str) -> None:
        (self.root / ".git" / "info" / "attributes").write_text(line + "\n")

    def touch(self) -> None:
        """Make the file look changed, so that git has to read it again."""
        (self.root / "file.txt").write_text("fourth text\n")

    @property
    def has_run(self) -> bool:
        return self.mark.exists()


def fsmonitor(trap: Trap) -> None:
    trap.configure("core.fsmonitor")


def hooks(trap: Trap) -> None:
    for name in ("pre-commit", "post-commit", "post-index-change", "reference-transaction"):
        (trap.root / ".git" / "hooks" / name).symlink_to(trap.program)


def hooks_elsewhere(trap: Trap) -> None:
    (trap.root / "hooks").mkdir()
    (trap.root / "hooks" / "pre-commit").symlink_to(trap.program)
    trap.configure("core.hooksPath", str(trap.root / "hooks"))


def textconv(trap: Trap) -> None:
    trap.configure("diff.evil.textconv")
    trap.attribute("*.txt diff=evil")


def external_diff(trap: Trap) -> None:
    trap.configure("diff.external")


def diff_driver(trap: Trap) -> None:
    trap.configure("diff.evil.command")
    trap.attribute("*.txt diff=evil")


def clean_filter(trap: Trap) -> None:
    trap.configure("filter.evil.clean")
    trap.configure("filter.evil.required", "true")
    trap.attribute("*.txt filter=evil")


def filter_with_an_equals_sign(trap: Trap) -> None:
    trap.configure("filter.ev=il.clean")
    trap.attribute("*.txt filter=ev=il")


def filter_process(trap: Trap) -> None:
    trap.configure("filter.evil.process")
    trap.attribute("*.txt filter=evil")


def included_filter(trap: Trap) -> None:
    hidden = trap.root / ".git" / "more"
    git("config", "-f", str(hidden), "filter.evil.clean", str(trap.program), cwd=trap.root)
    trap.configure("include.path", str(hidden))
    trap.attribute("*.txt filter=evil")


def signature_check(trap: Trap) -> None:
    commit = subprocess.run(
        ["git", "cat-file", "commit", "HEAD"], cwd=trap.root, check=True, capture_output=True
    ).stdout
    head, _, message = commit.partition(b"\n\n")
    signature = b"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----"
    made = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin"],
        cwd=trap.root,
        check=True,
        capture_output=True,
        input=head + signature + b"\n\n" + message,
    ).stdout.decode()
    git("update-ref", "HEAD", made.strip(), cwd=trap.root)
    trap.configure("gpg.program")
    trap.configure("log.showSignature", "true")


def submodule(trap: Trap) -> None:
    inner = trap.root / "inner"
    git("init", "-q", "-b", "main", str(inner), cwd=trap.root)
    git("commit", "-q", "--allow-empty", "-m", "inner", cwd=inner)
    git("add", "inner", cwd=trap.root)
    git("commit", "-q", "-m", "with a submodule", cwd=trap.root)
    git("config", "core.fsmonitor", str(trap.program), cwd=inner)
    (inner / "new").write_text("")
    trap.configure("diff.ignoreSubmodules", "none")


def missing_objects(trap: Trap) -> None:
    """Leave out an object and name a remote that would bring it, by running a program."""
    trap.program.write_text(trap.program.read_text().replace("cat\n", "exit 1\n"))
    trap.configure("extensions.partialClone", "origin")
    trap.configure("core.repositoryFormatVersion", "1")
    trap.configure("remote.origin.url", f"ext::{trap.program}")
    trap.configure("remote.origin.promisor", "true")
    trap.configure("protocol.ext.allow", "always")
    blob = subprocess.run(
        ["git", "rev-parse", "HEAD~1:file.txt"], cwd=trap.root, check=True, capture_output=True
    ).stdout.decode()
    (trap.root / ".git" / "objects" / blob[:2] / blob[2:].strip()).unlink()


TRAPS = (
    fsmonitor,
    hooks,
    hooks_elsewhere,
    textconv,
    external_diff,
    diff_driver,
    clean_filter,
    filter_with_an_equals_sign,
    filter_process,
    included_filter,
    signature_check,
    submodule,
    missing_objects,
)


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    return Trap(tmp_path)


@pytest.mark.parametrize("lay", TRAPS, ids=lambda lay: lay.__name__)
def test_our_git_starts_no_program_of_the_repository(trap: Trap, lay) -> None:
    lay(trap)
    trap.mark.unlink(missing_ok=True)
    for command in (*READS, *WRITES):
        trap.touch()
        run_git(command, trap.root)
        assert not trap.has_run, command
    repository_root(trap.root)
    head_commit(trap.root)
    assert not trap.has_run


@pytest.mark.parametrize("lay", TRAPS, ids=lambda lay: lay.__name__)
def test_the_control_plain_git_starts_it(trap: Trap, lay) -> None:
    lay(trap)
    trap.mark.unlink(missing_ok=True)
    for command in (*READS, *WRITES):
        trap.touch()
        git(*command, cwd=trap.root, fails=True)
        if trap.has_run:
            return
    pytest.fail("plain git started nothing: this trap proves nothing")


def test_reads_answer_in_spite_of_the_traps(trap: Trap) -> None:
    for lay in (fsmonitor, textconv, external_diff, clean_filter, filter_process):
        lay(trap)
    assert run_git(["status", "--porcelain"], trap.root).out == b" M file.txt\n"
    assert b"+third text" in run_git(["diff"], trap.root).out


def test_a_program_named_git_in_the_repository_is_not_ours(
    trap: Trap, monkeypatch: pytest.MonkeyPatch
) -> None:
    (trap.root / "git").symlink_to(trap.program)
    monkeypatch.setenv("PATH", ".::" + str(trap.root.relative_to("/")) + ":/usr/bin:/bin")
    run_git(["status"], trap.root)
    assert not trap.has_run


def test_a_bare_repository_inside_is_no_repository(trap: Trap) -> None:
    inner = trap.root / "inner"
    git("init", "-q", "--bare", str(inner), cwd=trap.root)
    git("config", "-f", str(inner / "config"), "core.bare", "false", cwd=trap.root)
    git("config", "-f", str(inner / "config"), "core.worktree", str(trap.root), cwd=trap.root)
    git("config", "-f", str(inner / "config"), "core.fsmonitor", str(trap.program), cwd=trap.root)
    git("status", cwd=inner, fails=True)
    assert trap.has_run, "plain git started nothing: this trap proves nothing"
    trap.mark.unlink()
    assert run_git(["status"], inner).code != 0
    assert repository_root(inner) is None
    assert not trap.has_run


def test_names_that_look_like_options_stay_names(trap: Trap, tmp_path: Path) -> None:
    name = f"--output={tmp_path / 'written'}"
    (trap.root / "-x").write_text("text\n")
    assert run_git(["add", "--", "-x"], trap.root).code == 0
    assert b"-x" in run_git(["ls-files", "--", "-x"], trap.root).out
    run_git(["log", "-p", "--end-of-options", name], trap.root)
    run_git(["diff", "--end-of-options", name], trap.root)
    assert not (tmp_path / "written").exists()
