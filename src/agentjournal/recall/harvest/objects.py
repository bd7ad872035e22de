"""Commits, folders and files as git stores them: read by id, in pieces, never from the working tree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from agentjournal.system.git import run_git

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

__all__ = ["Commit", "File", "files_in", "folders", "read_commits", "read_files"]

COMMIT_BYTES = 64 * 1024  # a longer message says nothing that is asked here
PIECE_BYTES = 4 * 1024 * 1024  # read at once
PIECE_OBJECTS = 500

_ENCODING = re.compile(
    r"utf-?8|iso-8859-([1-9]|1[0-6])|latin-?1|(windows|cp)-?125[0-8]|koi8-r|euc-jp|shift_jis|gbk",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Commit:
    """One commit: its full id, its parents' ids, its author's day and its message in two parts."""

    id: str
    parents: tuple[str, ...]
    day: str
    subject: str
    body: str


@dataclass(frozen=True)
class File:
    """A regular file of the commit that is checked out."""

    path: str
    id: str
    bytes: int


def read_commits(root: Path, limit: int) -> Iterator[Commit]:
    """Give the last commits of HEAD, the newest first; none where there is no commit yet."""
    listed = run_git(["rev-list", f"--max-count={limit}", "HEAD", "--"], root)
    ids = listed.out.decode("ascii", "replace").split() if listed.code == 0 else []
    for id_, data in _read(root, ids, COMMIT_BYTES):
        yield _commit(id_, data)


def folders(root: Path, limit: int) -> list[str]:
    """Give the paths of the folders in HEAD, `` for the top itself; links are none."""
    answer = run_git(["ls-tree", "-r", "-d", "-z", "--name-only", "--full-tree", "HEAD"], root)
    if answer.code != 0:
        return []
    return ["", *_texts(answer.out.split(b"\0", limit)[:limit])]


def files_in(root: Path, folder: str) -> list[File]:
    """Give the regular files directly in a folder of HEAD; links and submodules are none."""
    place = [f":(literal){folder}/"] if folder else []
    answer = run_git(["ls-tree", "-z", "-l", "--full-tree", "HEAD", "--", *place], root)
    found: list[File] = []
    for entry in _texts(answer.out.split(b"\0")) if answer.code == 0 else ():
        facts, _, path = entry.partition("\t")
        mode, kind, id_, size = facts.split()
        if kind == "blob" and mode != "120000" and size.isdigit():
            found.append(File(path, id_, int(size)))
    return found


def read_files(root: Path, files: Iterable[File], limit: int) -> Iterator[tuple[File, bytes]]:
    """Give the content of each file of at most `limit` bytes."""
    by_id: dict[str, list[File]] = {}
    for file in files:
        by_id.setdefault(file.id, []).append(file)
    for id_, data in _read(root, list(by_id), limit):
        for file in by_id[id_]:
            yield file, data


def _read(root: Path, ids: Sequence[str], limit: int) -> Iterator[tuple[str, bytes]]:
    """Read objects in pieces of bounded size; what is larger than the limit is left out."""
    for piece in _pieces(_sizes(root, ids), limit):
        answer = run_git(["cat-file", "--batch"], root, stdin="\n".join(piece).encode() + b"\n")
        at = 0
        for id_ in piece:
            end = answer.out.find(b"\n", at)
            if end < 0:
                return
            header = answer.out[at:end].split()
            size = int(header[2]) if len(header) == 3 else 0  # noqa: PLR2004 - id, kind, size
            yield id_, answer.out[end + 1 : end + 1 + size]
            at = end + 1 + size + 1


def _sizes(root: Path, ids: Sequence[str]) -> Iterator[tuple[str, int]]:
    if not ids:
        return
    asked = "\n".join(ids).encode() + b"\n"
    answer = run_git(["cat-file", "--batch-check"], root, stdin=asked)
    for line in answer.out.decode("ascii", "replace").splitlines():
        match line.split():
            case [id_, "commit" | "blob", size] if size.isdigit():
                yield id_, int(size)


def _pieces(sizes: Iterable[tuple[str, int]], limit: int) -> Iterator[list[str]]:
    piece: list[str] = []
    held = 0
    for id_, size in sizes:
        if size > limit:
            continue
        if piece and (len(piece) >= PIECE_OBJECTS or held + size > PIECE_BYTES):
            yield piece
            piece, held = [], 0
        piece.append(id_)
        held += size
    if piece:
        yield piece


def _commit(id_: str, data: bytes) -> Commit:
    head, _, message = data.partition(b"\n\n")
    parents: list[str] = []
    author, encoding = "", "utf-8"
    for line in head.decode("utf-8", "replace").split("\n"):
        name, _, value = line.partition(" ")
        match name:
            case "parent":
                parents.append(value)
            case "author":
                author = value
            case "encoding":
                encoding = value
    subject, _, body = _decoded(message, encoding).strip().partition("\n")
    return Commit(
        id=id_, parents=tuple(parents), day=_day(author), subject=subject.strip(), body=body.strip()
    )


def _decoded(message: bytes, encoding: str) -> str:
    """Decode a message as its commit says, where that names an encoding of people's texts."""
    known = encoding if _ENCODING.fullmatch(encoding) else "utf-8"
    return message.decode(known, "replace")


def _day(author: str) -> str:
    seconds = author.rpartition("> ")[2].split(" ")[0]
    try:
        return datetime.fromtimestamp(int(seconds), UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


def _texts(names: Iterable[bytes]) -> list[str]:
    return [name.decode("utf-8", "replace") for name in names if name]
