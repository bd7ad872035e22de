"""A document as it was when somebody read or cited it: copies are named by the digest of their bytes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.engmem.document import version_of
from agentjournal.engmem.scan import why
from agentjournal.engmem.store import BYTES
from agentjournal.errors import AgentJournalError, NotFoundError
from agentjournal.system.files import read_inside
from agentjournal.text.bounded import clip

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["VERSIONS", "Missing", "is_version", "kept_version"]

VERSIONS = "versions"
_VERSION = re.compile("[0-9a-f]{16}")
_SHOWN = 200  # bytes of what is no version


@dataclass(frozen=True)
class Missing:
    """Why the text of a version cannot be had."""

    reason: str


def is_version(text: str) -> bool:
    """Say whether a text may be the version of a document."""
    return _VERSION.fullmatch(text) is not None


def kept_version(root: Path, id_: str, version: str) -> bytes | Missing:
    """Read the copy of a document that was kept under a version, if its bytes are still those."""
    if not is_version(version):
        return Missing(f"{clip(version, _SHOWN)!r} is no version: those have 16 hexadecimal digits")
    place = f"{VERSIONS}/{id_}/{version}.md"
    try:
        data = read_inside(root, place, BYTES)
    except NotFoundError:
        return Missing(f"not retained: no copy at {place}")
    except AgentJournalError as error:
        return Missing(why(place, error))
    if version_of(data) != version:
        return Missing(f"altered: {place} has other bytes than its name says")
    return data
