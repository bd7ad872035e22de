"""What a store looks like from outside: as long as that is the same, so is what it holds."""

from __future__ import annotations

import marshal
from functools import cached_property
from typing import TYPE_CHECKING

from agentjournal.engmem.index.parts import MARSHAL
from agentjournal.engmem.scan import look
from agentjournal.engmem.strays import Strays, find_strays
from agentjournal.frozen import frozen

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Looked", "looked_at"]


@frozen
class Looked:
    """The files that may be documents with the numbers of their signatures, and stray files."""

    root: Path
    files: list[tuple[str, int, int, int, int]]
    strays: Strays

    @property
    def is_plain(self) -> bool:
        """Say whether every name is text: others are told, never read."""
        try:
            "".join([each[0] for each in self.files]).encode()
        except UnicodeEncodeError:
            return False
        return True

    @cached_property
    def data(self) -> bytes:
        """Write it down, to be compared as a whole: the order is the folder's, which keeps it."""
        return marshal.dumps((self.files, self.strays.names, self.strays.error), MARSHAL)


def looked_at(root: Path) -> Looked:
    """Look at a store.

    Raises:
        NotFoundError: there is no folder `sessions`.
        InputError: it passes a link, or is no folder.
        OSError: it cannot be listed.
    """
    files, folders = look(root)
    return Looked(root, files, find_strays(root, has_folders=bool(folders)))
