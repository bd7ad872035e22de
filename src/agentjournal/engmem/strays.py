"""Markdown files that no search looks at: beside `sessions/`, and in folders below it."""

from __future__ import annotations

import os

from agentjournal.engmem.scan import SESSIONS
from agentjournal.errors import AgentJournalError
from agentjournal.frozen import frozen
from agentjournal.system.files import folder_inside, list_inside
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Strays", "find_strays"]

README = "README.md"
FOLDERS = 1_000  # that are looked into
_NAMED = 3


@frozen
class Strays:
    """Markdown files outside the searched set, as paths below the root, sorted.

    `error` says what could not be looked at.
    """

    names: tuple[str, ...]
    error: str | None = None

    def warning(self, root: Path) -> str:
        """Say on stderr which files are never found; empty where there are none."""
        if not self.names:
            return ""
        more = f", +{len(self.names) - _NAMED} more" if len(self.names) > _NAMED else ""
        return (
            f"{len(self.names)} markdown file(s) are never searched — engmem reads only "
            f"{root / SESSIONS}/*.md, not the store root and not subdirectories "
            f"({', '.join(self.names[:_NAMED])}{more}). Move them directly into sessions/ to make "
            "them findable."
        )

    def note(self) -> str:
        """Say in an answer that found nothing that the files may hold it; empty without any."""
        if not self.names:
            return ""
        return (
            f"({len(self.names)} markdown file(s) sit outside the searched set — only "
            "sessions/*.md is read, not the store root and not subdirectories. They may hold the "
            "answer.)"
        )


def find_strays(root: Path, *, has_folders: bool = True) -> Strays:
    """Look in the root and in folders below `sessions/`; links and hidden names are passed by.

    Whoever knows that there are none of those folders says so, and saves the walk.
    """
    try:
        beside = [name for name in list_inside(root).files if name != README]
        below = _below(root) if has_folders else ()
        return Strays(tuple(sorted(filter(_is_markdown, [*beside, *below]))))
    except (AgentJournalError, OSError) as error:
        return Strays((), f"{root}: cannot look for stray files ({error})")


def _below(root: Path) -> Iterator[str]:
    """Give the files of the folders below `sessions/`, of the first 1,000 such folders."""
    with folder_inside(root, SESSIONS) as sessions:
        walk = os.fwalk(".", dir_fd=sessions, follow_symlinks=False)
        for (path, folders, files, _), _count in zip(walk, range(FOLDERS), strict=False):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            if path != ".":
                yield from (f"{SESSIONS}/{path[2:]}/{name}" for name in files)


def _is_markdown(path: str) -> bool:
    return path.endswith(".md") and not path.rpartition("/")[2].startswith(".")
