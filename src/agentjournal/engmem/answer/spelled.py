"""Ids and paths as they stand in an answer: every character seen, none taken for a line's end."""

from __future__ import annotations

from agentjournal.text.bounded import clip
from agentjournal.text.visible import visible
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.engmem.header import Header

__all__ = ["ID", "path_of", "spelled"]

ID = 200  # bytes
PATH = 600


def spelled(text: str, cap: int) -> str:
    """Give the text on one line within so many bytes, what is hidden in it written out."""
    return clip(visible(text, keep=""), cap)


def path_of(root: Path, header: Header) -> str:
    """Give where the document lies."""
    return spelled(f"{root}/sessions/{header.file}", PATH)
