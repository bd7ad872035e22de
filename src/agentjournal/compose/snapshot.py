"""How the files that a document covers stand in the checkout here, against those it was written for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.errors import ForeignProgramError
from agentjournal.system.git import head_commit, repository_root, run_git

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from agentjournal.engmem.header import Header

__all__ = ["snapshots"]

FILES = 100
NAMED = 3
PATH = 60  # characters
SECONDS = 5.0

_COMMIT = re.compile(r"[0-9a-f]{7,64}")


@dataclass(frozen=True)
class _Checkout:
    """The repository one stands in: its top folder, its name, and the commit checked out."""

    top: Path
    name: str
    head: str | None


def snapshots(linked: Sequence[Header], name: str, cwd: Path) -> Mapping[str, str]:
    """Say of documents that are linked to the repository here how their files stand, by id."""
    try:
        top = repository_root(cwd)
        checkout = top and _Checkout(top, top.name, head_commit(top))
        if not checkout:
            return {
                header.id: f"{name}: unknown, git takes this for no checkout" for header in linked
            }
        return {header.id: _told(header, checkout) for header in linked}
    except ForeignProgramError as error:
        return {header.id: f"{name}: unknown, {error.message}" for header in linked}


def _told(header: Header, checkout: _Checkout) -> str:
    anchor = _anchor(header, checkout.name)
    if not anchor:
        return f"{checkout.name}: unknown, no anchor recorded"
    if not _COMMIT.fullmatch(anchor):
        return f"{checkout.name}: unknown, what is recorded is not a commit id"
    begun = f"{checkout.name} {anchor[:7]}"
    if checkout.head is None:
        return f"{begun}: unknown, nothing is committed here yet"
    if checkout.head.startswith(anchor):
        return f"{begun}: same commit as HEAD"
    return f"{begun}: HEAD is now {checkout.head[:7]}, {_compared(header, anchor, checkout.top)}"


def _anchor(header: Header, name: str) -> str:
    by_name = {each.strip().casefold(): commit for each, commit in header.verified_at}
    return by_name.get(name.casefold(), header.verified_at_commit).strip().lower()


def _compared(header: Header, anchor: str, top: Path) -> str:
    """Compare the files between both commits by the ids of their contents."""
    files = header.covers_files
    if not files:
        return "re-check"
    if why := _refused(files):
        return f"covered files not checked: {why}, re-check"
    revisions = [f"{commit}:{path}" for path in files for commit in (anchor, "HEAD")]
    ids = _ids([f"{anchor}^{{commit}}", *revisions], top)
    if ids is None or ids[0] is None:
        return "covered files not checked: that commit is not in this checkout, re-check"
    return _differences(list(zip(files, ids[1::2], ids[2::2], strict=True)))


def _refused(files: Sequence[str]) -> str:
    if len(files) > FILES:
        return f"more than {FILES}"
    return "a path leads elsewhere" if any(map(_is_odd, files)) else ""


def _differences(found: Sequence[tuple[str, str | None, str | None]]) -> str:
    """Say which files are not what they were; each with its content's id then and now."""
    if absent := [path for path, then, now in found if then is None and now is None]:
        return f"covered files not checked: {_named(absent)} in neither commit, re-check"
    changed = [path if now else f"{path} (deleted)" for path, then, now in found if then != now]
    if changed:
        return f"covered file(s) changed: {_named(changed)}, re-check"
    return "covered files unchanged"


def _ids(revisions: Sequence[str], top: Path) -> list[str | None] | None:
    asked = "".join(f"{each}\n" for each in revisions).encode(errors="replace")
    check = ["cat-file", "--batch-check=%(objectname)"]
    answer = run_git(check, top, timeout=SECONDS, stdin=asked)
    lines = answer.out.decode(errors="replace").splitlines()
    if answer.code or len(lines) != len(revisions):
        return None
    return [line if _COMMIT.fullmatch(line) else None for line in lines]


def _is_odd(path: str) -> bool:
    is_plain = not path.startswith("/") and path.isprintable()
    return not is_plain or any(part in {"", ".", ".."} for part in path.split("/"))


def _named(paths: Iterable[str]) -> str:
    every = [path if len(path) <= PATH else f"{path[: PATH - 1]}…" for path in paths]
    more = f" and {len(every) - NAMED} more" if len(every) > NAMED else ""
    return ", ".join(every[:NAMED]) + more
