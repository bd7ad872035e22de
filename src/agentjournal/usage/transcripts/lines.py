"""Reads a file of JSON lines; a line that is none is counted and passed over."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Lines"]

_LINE_BYTES = 64 * 1024 * 1024


class Lines:
    """The objects of one file, read as they are asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.unreadable = 0

    def __iter__(self) -> Iterator[Mapping[str, object]]:
        """Give each line's object."""
        with self.path.open("rb") as file:
            while line := file.readline(_LINE_BYTES):
                if not line.strip():
                    continue
                value = self._parsed(line)
                if isinstance(value, Mapping):
                    yield value
                else:
                    self.unreadable += 1

    @staticmethod
    def _parsed(line: bytes) -> object:
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            return None
