"""Makes the folder of a store where there is none, with a git repository of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.engmem.writing.commit import set_commits
from agentjournal.errors import ConfigurationError, ForeignProgramError
from agentjournal.system.git import run_git

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["ensure_store"]


def ensure_store(root: Path) -> bool:
    """Make `sessions/` and the repository where they are missing; say whether the store is new.

    In a store that is new from the ground up every save becomes a commit.

    Raises:
        ConfigurationError: a folder cannot be made, or git is missing or fails.
    """
    sessions, repository = root / "sessions", root / ".git"
    is_new = not sessions.exists()
    _make(root)
    # a repository that a full disk left half made has no HEAD yet
    if not repository.is_file() and not (repository / "HEAD").exists():
        _make_repository(root)
        if is_new:
            set_commits(root, wanted=True)
    _make(sessions)  # last: until then the store counts as new
    return is_new


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"the store {folder} cannot be made: {error.strerror}."
        raise ConfigurationError(message, next="Choose another folder with --store.") from error


def _make_repository(root: Path) -> None:
    try:
        answer = run_git(["init", "--quiet"], root)
    except ForeignProgramError as error:
        message = f"no git repository could be made in {root}: {error.message}"
        raise ConfigurationError(message, next=error.next) from error
    if answer.code != 0:
        reason = answer.err.decode(errors="replace").strip()
        message = f"git init failed in {root}: {reason}."
        raise ConfigurationError(message, next="Run it there by hand to see why.")
