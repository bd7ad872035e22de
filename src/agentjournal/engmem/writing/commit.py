"""One commit for each save, in stores that want it: history without anybody's doing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.errors import AgentJournalError, ConfigurationError
from agentjournal.system.git import repository_root, run_git
from agentjournal.system.lock import ProcessLock

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.system.git import GitAnswer

__all__ = ["commit_save", "commits_saves", "set_commits"]

_KEY = "agentjournal.commitSaves"  # in the store's own `.git/config`
_UNSET = 1  # git's status where a key has no value
_LOCK = "agentjournal.lock"
_WAIT = 5.0  # seconds
_NOBODY = {"user.name": "engmem", "user.email": "engmem@localhost"}
_REASON = 200  # characters


def set_commits(root: Path, *, wanted: bool) -> None:
    """Say whether saves in this store are committed.

    Raises:
        ConfigurationError: the store is no git repository of its own.
        ForeignProgramError: git could not be run.
    """
    if not _is_own_repository(root):
        message = f"saves in {root} cannot be committed: it is no git repository of its own."
        raise ConfigurationError(message, next="Run `git init` there first.")
    answer = run_git(["config", "--local", _KEY, "true" if wanted else "false"], root)
    if answer.code != 0:
        message = f"git could not note it in {root}: {_reason(answer)}."
        raise ConfigurationError(message, next="Look at that repository's configuration.")


def commits_saves(root: Path) -> bool:
    """Say whether saves in this store are committed: only where it is a repository of its own."""
    if not _has_folder(root):
        return False
    return _asked(root).out.strip() == b"true" and _is_own_repository(root)


def commit_save(root: Path, relative: str, message: str) -> str | None:
    """Commit one file of the store, and nothing else; give the reason where that failed.

    Where nobody asked for commits nothing is done. Other staged changes stay as they are.
    """
    if not _has_folder(root):
        return None
    try:
        asked = _asked(root)
        if asked.code not in {0, _UNSET}:
            return _reason(asked)
        if asked.out.strip() != b"true":
            return None
        if not _is_own_repository(root):
            return f"{root} is not the working tree of its repository"
        with ProcessLock(root / ".git" / _LOCK).hold(_WAIT):
            place = f":(literal){relative}"  # a name may hold what git takes for a pattern
            added = run_git(["add", "--", place], root)
            return _reason(added) if added.code else _committed(root, place, message)
    except AgentJournalError as error:
        return error.message


def _asked(root: Path) -> GitAnswer:
    return run_git(["config", "--local", "--type=bool", "--get", _KEY], root)


def _committed(root: Path, place: str, message: str) -> str | None:
    named = run_git(["config", "--get", "user.email"], root).code == 0
    done = run_git(
        ["commit", "--quiet", "--no-verify", "--only", f"--message={message}", "--", place],
        root,
        settings={} if named else _NOBODY,
    )
    return _reason(done) if done.code else None


def _is_own_repository(root: Path) -> bool:
    return _has_folder(root) and repository_root(root) == root.resolve()


def _has_folder(root: Path) -> bool:
    """Say whether the repository lies in the store itself, not behind a link or a pointer."""
    folder = root / ".git"
    return folder.is_dir() and not folder.is_symlink()


def _reason(answer: GitAnswer) -> str:
    said = (answer.err or answer.out).decode(errors="replace")
    return " ".join(said.split())[:_REASON] or f"git ended with status {answer.code}"
