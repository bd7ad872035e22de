"""Where two values part: the path of the first leaf that differs, and the byte within it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agentjournal.usage.request.block import plain_text
from agentjournal.usage.request.likeness import common_prefix

__all__ = ["Place", "first_difference"]


@dataclass(frozen=True, kw_only=True)
class Place:
    """A leaf, the two texts it had, and the first byte (UTF-8) and character in which they differ."""

    path: str
    before: str
    after: str

    @property
    def character(self) -> int:
        """Give the first character that differs."""
        return common_prefix(self.before, self.after)

    @property
    def byte(self) -> int:
        """Give the first byte that differs, from 0."""
        before, after = (text.encode(errors="surrogatepass") for text in (self.before, self.after))
        at = len(self.before[: self.character].encode(errors="surrogatepass"))
        while at < min(len(before), len(after)) and before[at] == after[at]:
            at += 1  # two characters may share their first bytes
        return at


def first_difference(path: str, before: object, after: object) -> Place:
    """Walk down both values together to the first leaf that differs."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for (name, old), (other, new) in zip(before.items(), after.items(), strict=False):
            if name != other:
                break
            if old != new or plain_text(old) != plain_text(new):
                return first_difference(f"{path}.{name}", old, new)
    if isinstance(before, list) and isinstance(after, list):
        for at, (old, new) in enumerate(zip(before, after, strict=False)):
            if plain_text(old) != plain_text(new):
                return first_difference(f"{path}[{at}]", old, new)
    return Place(path=path, before=plain_text(before), after=plain_text(after))
