"""What a store looks like from outside: as long as that is the same, so is what it holds."""

from __future__ import annotations

import marshal
import os
from functools import cached_property

from agentjournal.engmem.index.parts import MARSHAL
from agentjournal.engmem.scan import look, signature_of
from agentjournal.engmem.strays import Strays, find_strays
from agentjournal.frozen import frozen
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.engmem.scan import Looks

__all__ = ["SYNONYMS", "Looked", "looked_at"]

SYNONYMS = "synonyms.yml"  # in the root of a store


@frozen
class Looked:
    """The files that may be documents with the numbers of their signatures, and what is beside.

    `synonyms` is the signature of the store's own list, empty where there is none.
    """

    root: Path
    looks: Looks
    strays: Strays
    synonyms: tuple[int, ...] = ()

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
        beside = (self.strays.names, self.strays.error, self.synonyms)
        return marshal.dumps((names, self.looks.numbers, *beside), MARSHAL)


def looked_at(root: Path) -> Looked:
    """Look at a store.

    Raises:
        NotFoundError: there is no folder `sessions`.
        InputError: it passes a link, or is no folder.
        OSError: it cannot be listed.
    """
    looks = look(root)
    strays = find_strays(root, has_folders=bool(looks.folders))
    return Looked(root, looks, strays, _signature(root / SYNONYMS))


def _signature(path: Path) -> tuple[int, ...]:
    try:
        return tuple(signature_of(os.lstat(path)))
    except OSError:
        return ()
