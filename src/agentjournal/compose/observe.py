"""Look at the world once, for the reads that may use it: commit, lock files, working tree, plan."""

from __future__ import annotations

from fnmatch import fnmatch
from typing import TYPE_CHECKING, TypeVar

from agentjournal.compose.plan_file import sha256_on_disk
from agentjournal.errors import AgentJournalError
from agentjournal.execution.lockfile import LOCK_FILES, lock_versions
from agentjournal.execution.observed import Observed
from agentjournal.system.files import list_inside, read_inside
from agentjournal.system.git import head_commit, run_git

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

T = TypeVar("T")

__all__ = ["blobs_of", "observe"]

LOCK_BYTES = 8 * 1024 * 1024


def observe(root: Path | None, plan_path: str | None) -> Observed:
    """Give what a project's folder says now; whatever cannot be read stays not observed."""
    if root is None:
        return Observed()
    return Observed(
        commit=_quietly(head_commit, root),
        lock_versions=_lock_versions(root),
        blobs=blobs_of(root),
        plan_sha256=sha256_on_disk(root, plan_path) if plan_path else None,
    )


def blobs_of(root: Path) -> Mapping[str, str] | None:
    """Give the hash of every file that git tracks, as the working tree has it in its index."""
    answer = _quietly(lambda folder: run_git(["ls-files", "--stage", "-z"], folder), root)
    if answer is None or answer.code != 0:
        return None
    found: dict[str, str] = {}
    for entry in answer.out.decode("utf-8", "replace").split("\0"):
        about, _, path = entry.partition("\t")
        if path:
            found[path] = about.split(" ")[1]
    return found


def _lock_versions(root: Path) -> Mapping[str, str] | None:
    listing = _quietly(list_inside, root)
    names = listing.files if listing else ()
    wanted = [name for name in names if any(fnmatch(name, pattern) for pattern in LOCK_FILES)]
    read = {name: _read(root, name, LOCK_BYTES) for name in wanted}
    files = {name: data for name, data in read.items() if data is not None}
    return lock_versions(files) if files else None


def _read(root: Path, name: str, limit: int) -> bytes | None:
    return _quietly(lambda folder: read_inside(folder, name, limit), root)


def _quietly(look: Callable[[Path], T], root: Path) -> T | None:
    """Give what a look says, or None where it could not look: a read never fails for that."""
    try:
        return look(root)
    except AgentJournalError:
        return None
