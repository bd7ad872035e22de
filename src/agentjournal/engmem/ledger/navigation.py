"""Documents that say which other one a search should have found."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from agentjournal.engmem.fields import Fields
from agentjournal.engmem.front_matter import BYTES, FrontMatter, read_front_matter
from agentjournal.engmem.scan import SESSIONS
from agentjournal.errors import AgentJournalError
from agentjournal.system.files import open_inside

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from agentjournal.engmem.header import Header

__all__ = ["count_navigation_misses"]

_HEAD = BYTES + 1024  # holds any front matter that is read


def count_navigation_misses(root: Path, headers: Iterable[Header]) -> int:
    """Count what the documents recorded; one that cannot be read now records nothing."""
    return sum(_misses(root, header.file) for header in headers)


def _misses(root: Path, file: str) -> int:
    try:
        with os.fdopen(open_inside(root, f"{SESSIONS}/{file}"), "rb") as opened:
            head = opened.read(_HEAD)
    except (AgentJournalError, OSError):
        return 0
    if b"navigation_miss" not in head:
        return 0
    text = head.decode("utf-8-sig", errors="ignore").replace("\r\n", "\n").replace("\r", "\n")
    block = read_front_matter(text)
    fields = Fields(block.fields) if isinstance(block, FrontMatter) else Fields({})
    return len(fields.navigation_misses())
