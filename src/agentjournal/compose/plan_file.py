"""Plans as files and folders: read with a limit, replaced whole, compared with what was registered."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from agentjournal.errors import AgentJournalError, NotFoundError
from agentjournal.execution.plan.drift import folder_sha256, plan_sha256
from agentjournal.execution.plan.folder import read_plan_folder
from agentjournal.execution.plan.read import read_plan
from agentjournal.system.files import read_inside, write_atomically

if TYPE_CHECKING:
    from agentjournal.execution.plan.model import PlanReport

__all__ = ["PLAN_BYTES", "load_plan", "load_plan_bytes", "replace_file", "sha256_on_disk"]

PLAN_BYTES = 16 * 1024 * 1024


def load_plan(path: Path, root: Path | None = None) -> PlanReport:
    """Read a plan file, or a folder with one file per task.

    Its path is told from the project's root, where it lies inside, else whole: by it reads look
    whether it drifted.

    Raises:
        NotFoundError: there is nothing there.
        InputError: it is no regular file, or too large.
    """
    told = _told(path, root)
    if path.is_dir():
        return read_plan_folder(_folder(path), told)
    return read_plan(load_plan_bytes(path), told)


def load_plan_bytes(path: Path) -> bytes:
    """Give the bytes of a plan file.

    Raises:
        NotFoundError: there is nothing there.
        InputError: it is no regular file, or too large.
    """
    whole = path.resolve()
    if not whole.exists():
        raise NotFoundError(f"There is no file {path}.", next="Check the path.")
    return read_inside(whole.parent, whole.name, PLAN_BYTES)


def replace_file(path: Path, text: str) -> None:
    """Replace a file's content whole, keeping its permissions."""
    whole = path.resolve()
    write_atomically(whole, text.encode(errors="surrogateescape"), whole.stat().st_mode & 0o777)


def sha256_on_disk(path: str, root: Path | None) -> str | None:
    """Hash a plan as it lies there now; None where it does not, or where its root is unknown."""
    if path.startswith("/"):
        root, path = Path("/"), path[1:]
    if root is None:
        return None
    try:
        if (root / path).is_dir():
            return folder_sha256(_folder(root / path))
        return plan_sha256(read_inside(root, path, PLAN_BYTES))
    except AgentJournalError:
        return None


def _folder(path: Path) -> dict[str, bytes]:
    """Read every Markdown file below, by its path from there; a link is neither followed nor read."""
    files = (
        each for each in sorted(path.rglob("*.md")) if each.is_file() and not each.is_symlink()
    )
    names = [each.relative_to(path).as_posix() for each in files]
    return {name: read_inside(path, name, PLAN_BYTES) for name in names}


def _told(path: Path, root: Path | None) -> str:
    whole = path.resolve()
    if root is not None and whole.is_relative_to(root.resolve()):
        return whole.relative_to(root.resolve()).as_posix()
    return str(whole)
