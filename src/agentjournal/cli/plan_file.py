"""Plans as files and folders: read with a limit, replaced whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.errors import NotFoundError
from agentjournal.execution.plan.folder import read_plan_folder
from agentjournal.execution.plan.read import read_plan
from agentjournal.system.files import read_inside, write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.execution.plan.model import PlanReport

__all__ = ["PLAN_BYTES", "load_plan", "load_plan_bytes", "replace_file"]

PLAN_BYTES = 16 * 1024 * 1024


def load_plan(path: Path, root: Path | None = None) -> PlanReport:
    """Read a plan file, or a folder with one file per task; its path is told from the root, if inside.

    Raises:
        NotFoundError: there is nothing there.
        InputError: it is no regular file, or too large.
    """
    told = _told(path, root)
    if path.is_dir():
        names = sorted(each.name for each in path.glob("*.md") if each.is_file())
        return read_plan_folder({name: read_inside(path, name, PLAN_BYTES) for name in names}, told)
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


def _told(path: Path, root: Path | None) -> str:
    whole = path.resolve()
    if root is not None and whole.is_relative_to(root.resolve()):
        return whole.relative_to(root.resolve()).as_posix()
    return str(path)
