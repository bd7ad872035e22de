"""The files that somebody is at work on, and the names in them: what `--near` and `--diff` add."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from agentjournal.engmem.answer.names import all_names, names_in
from agentjournal.errors import AgentJournalError, InputError
from agentjournal.system.files import open_inside
from agentjournal.system.git import repository_root, run_git

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["changed_files", "names_at_hand"]

FILES = 20
READ = 64 * 1024  # bytes of a file
SECONDS = 5.0


def names_at_hand(paths: Iterable[str], cwd: Path) -> tuple[str, ...]:
    """Give the names of these files and of the classes that they define.

    A file outside the folder one stands in (or its repository), behind a link, or that is not there
    yet, gives its own name only.
    """
    top = _top(cwd)
    return all_names(_names(path, cwd, top) for path in list(paths)[:FILES])


def changed_files(cwd: Path) -> tuple[str, ...]:
    """Give what is changed and not committed in the working tree here, new files included.

    Raises:
        InputError: this is no working tree of git.
        ForeignProgramError: git is not installed, or did not answer in time.
    """
    root = repository_root(cwd)
    answer = root and run_git(
        ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all"],
        root,
        timeout=SECONDS,
    )
    if not root or not answer or answer.code:
        raise InputError(
            f"{cwd} is in no working tree of git.",
            next="Leave out --diff, or name files with --near.",
        )
    lines = os.fsdecode(answer.out).split("\0")
    return tuple(str(root / line[3:]) for line in lines[:FILES] if line[3:])


def _top(cwd: Path) -> Path:
    """Give the folder below which files are read."""
    return next((each for each in (cwd, *cwd.parents) if (each / ".git").exists()), cwd)


def _names(path: str, cwd: Path, top: Path) -> tuple[str, ...]:
    whole = os.path.normpath(cwd / path)
    return names_in(whole.rpartition("/")[2], _text(whole, top))


def _text(whole: str, top: Path) -> str:
    try:
        descriptor = open_inside(top, os.path.relpath(whole, top))
    except AgentJournalError:
        return ""
    with open(descriptor, "rb") as file:  # noqa: PTH123 - it is a descriptor
        return file.read(READ).decode(errors="replace")
