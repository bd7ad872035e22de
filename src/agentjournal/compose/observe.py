"""Look at the world once, for the reads that may use it: commit, lock files, working tree, plan."""

from __future__ import annotations

import hashlib
from fnmatch import fnmatch
from typing import TYPE_CHECKING, TypeVar

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
BLOB_BYTES = 64 * 1024 * 1024  # a larger file reads as gone
SHA256_DIGITS = 64


def observe(root: Path | None, plan_sha256: str | None = None) -> Observed:
    """Give what a project's folder says now; whatever cannot be read stays not observed."""
    if root is None:
        return Observed(plan_sha256=plan_sha256)
    return Observed(
        commit=_quietly(head_commit, root),
        lock_versions=_lock_versions(root),
        blobs=blobs_of(root),
        plan_sha256=plan_sha256,
    )


def blobs_of(root: Path) -> Mapping[str, str] | None:
    """Give the hash of every file that git tracks, as the working tree has it now."""
    staged, changed = (
        _listed(root, "ls-files", "--stage"),
        _listed(root, "diff-files", "--name-only"),
    )
    if staged is None or changed is None:
        return None
    blobs: dict[str, str] = {}
    for entry in staged:
        about, _, path = entry.partition("\t")
        blobs[path] = about.split(" ")[1]
    for path in changed:
        data = _read(root, path, BLOB_BYTES)
        if data is None:
            blobs.pop(path, None)
        else:
            blobs[path] = _blob_hash(data, like=blobs.get(path, ""))
    return blobs


def _listed(root: Path, *command: str) -> list[str] | None:
    answer = _quietly(lambda folder: run_git([*command, "-z"], folder), root)
    if answer is None or answer.code != 0:
        return None
    return [entry for entry in answer.out.decode("utf-8", "replace").split("\0") if entry]


def _blob_hash(data: bytes, *, like: str) -> str:
    """Hash a file as git does once it is added, by the algorithm of the hash it has there."""
    kind = "sha256" if len(like) == SHA256_DIGITS else "sha1"
    header = b"blob %d\0" % len(data)
    return hashlib.new(kind, header + data, usedforsecurity=False).hexdigest()


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
