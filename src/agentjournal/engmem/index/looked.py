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

    from agentjournal.engmem.scan import Looks

__all__ = ["Looked", "looked_at"]


@frozen
class Looked:
    """The files that may be documents with the numbers of their signatures, and stray files."""

    root: Path
    looks: Looks
    strays: Strays

    @property
    def is_plain(self) -> bool:
        """Say whether every name is text: others are told, never read."""
        try:
            "".join(self.looks.names).encode()
        except UnicodeEncodeError:
            return False
        return True

    @cached_property
    def data(self) -> bytes:
        """Write it down, to be compared as a whole: the order is the folder's, which keeps it."""
        names = "\0".join(self.looks.names).encode(errors="surrogateescape")
        beside = (self.strays.names, self.strays.error)
        return marshal.dumps((names, self.looks.numbers, *beside), MARSHAL)


def looked_at(root: Path) -> Looked:
    """Look at a store.

    Raises:
        NotFoundError: there is no folder `sessions`.
        InputError: it passes a link, or is no folder.
        OSError: it cannot be listed.
    """
    looks = look(root)
    return Looked(root, looks, find_strays(root, has_folders=bool(looks.folders)))
