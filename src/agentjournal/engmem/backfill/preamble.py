"""What a document says of itself in the labelled lines at its top."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["is_dated", "labelled", "slugs"]

LINES = 40

_LABEL = re.compile(r"[-*][ \t\xa0]+\**([A-Za-z]+)\**[ \t\xa0]*:\**[ \t\xa0]*(.*)")
_SEPARATORS = re.compile(r"[,;·|]")
_NOTE = re.compile(r"\([^()]*\)$")
_SLUG = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")


def labelled(body: str, label: str) -> str:
    """Give the value of the first `- Label: value` line among the first 40, empty where none is."""
    return next((value for name, value in _lines(body) if name == label and value), "")


def is_dated(body: str) -> bool:
    """Say whether a line `- Date:` or `- Updated:` states something."""
    return any(name in {"date", "updated"} and value for name, value in _lines(body))


def slugs(value: str) -> tuple[str, ...]:
    """Give the names in a list of repositories that are slugs, in lower case, each once."""
    bare = (_NOTE.sub("", each.strip()).strip(" \t`*_") for each in _SEPARATORS.split(value))
    return tuple(dict.fromkeys(each for name in bare if _SLUG.fullmatch(each := name.casefold())))


def _lines(body: str) -> Iterator[tuple[str, str]]:
    for line in body.split("\n", LINES)[:LINES]:
        if match := _LABEL.match(line.strip()):
            yield match[1].casefold(), match[2].strip()
