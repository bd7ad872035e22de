"""Match paths of a project against one glob, in time linear in both."""

from __future__ import annotations

import fnmatch
import re
from dataclasses import dataclass

__all__ = ["Glob", "read_glob"]

_SPECIAL = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class Glob:
    """A glob by path segments; None stands for `**`, any number of folders."""

    segments: tuple[re.Pattern[str] | None, ...]
    prefix: str  # what every match begins with: most paths are refused by it alone

    def matches(self, path: str) -> bool:
        """Say whether the path, or a folder that it lies in, matches."""
        if not path.startswith(self.prefix):
            return False
        places = self._with_skips({0})
        for segment in path.split("/"):
            places = self._with_skips({next_ for at in places for next_ in self._step(at, segment)})
            if len(self.segments) in places:
                return True
        return False

    def _step(self, at: int, segment: str) -> tuple[int, ...]:
        if at == len(self.segments):
            return ()
        pattern = self.segments[at]
        if pattern is None:
            return (at,)
        return (at + 1,) if pattern.match(segment) else ()

    def _with_skips(self, places: set[int]) -> set[int]:
        for at, pattern in enumerate(self.segments):
            if at in places and pattern is None:
                places.add(at + 1)
        return places


def read_glob(text: str) -> Glob:
    """Read a glob relative to the project root: `*` and `?` stay in a folder, `**` does not."""
    parts = [part for part in text.split("/") if part not in ("", ".")]
    fixed = next((at for at, part in enumerate(parts) if _SPECIAL.search(part)), len(parts))
    patterns = [None if part == "**" else re.compile(fnmatch.translate(part)) for part in parts]
    return Glob(tuple(patterns), "/".join(parts[:fixed]))
