"""Copies of documents as they were when somebody read or cited them: quotes are checked against these."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from agentjournal.engmem.document import version_of
from agentjournal.engmem.kept_version import VERSIONS
from agentjournal.engmem.store import BYTES
from agentjournal.engmem.writing.placing import put_new, put_over
from agentjournal.errors import AgentJournalError, NotFoundError
from agentjournal.system.files import folder_inside, read_inside

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["retain_version"]

_ATTRIBUTES = ".gitattributes"
_EXACT = b"* -text\n"  # git must not touch line ends: the name of a copy is its digest
_LONGEST = 200  # bytes of an id that names a folder


def retain_version(root: Path, id_: str, data: bytes) -> str | None:
    """Keep a byte copy as `versions/<id>/<version>.md`; give the reason where that failed.

    A copy that is there already is left alone, one with other bytes than its name says is mended.
    """
    if not _is_name(id_):
        return "its id cannot name a folder"
    name = f"{version_of(data)}.md"
    try:
        if _kept(root, f"{VERSIONS}/{id_}/{name}") == data:
            return None
        with _made(root, "", VERSIONS) as folder:
            if _kept(root, f"{VERSIONS}/{_ATTRIBUTES}") is None:
                put_new(folder, _ATTRIBUTES, _EXACT)
        with _made(root, VERSIONS, id_) as folder:
            put_over(folder, name, data)
    except AgentJournalError as error:
        return error.message
    except OSError as error:
        return error.strerror or type(error).__name__
    return None


def _kept(root: Path, place: str) -> bytes | None:
    try:
        return read_inside(root, place, BYTES)
    except NotFoundError:
        return None


def _made(root: Path, parent: str, name: str) -> contextlib.AbstractContextManager[int]:
    """Make a folder where it is missing, for the user alone, and open it."""
    with folder_inside(root, parent) as above, contextlib.suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=above)
    return folder_inside(root, f"{parent}/{name}" if parent else name)


def _is_name(id_: str) -> bool:
    if not id_ or id_[0] == "." or "/" in id_ or "\0" in id_:
        return False
    return len(id_.encode(errors="surrogateescape")) <= _LONGEST and id_.isprintable()
