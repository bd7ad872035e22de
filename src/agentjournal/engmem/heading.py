"""The headings of a Markdown text, found in one pass over its lines."""

from __future__ import annotations

import re
from functools import cache

from agentjournal.frozen import frozen
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Heading", "fenced_lines", "headings", "without_ordinal"]

# Compiled where a line asks for them: a search loads this, and reads no line.
_ORDINAL = r"\d+(?:\.\d+)*\.[ \t]+"
_LIST_MARKER = r"\d{1,9}[.)](?:\s|$)"
_SHORTEST_RULE = 3


@frozen
class Heading:
    """A heading: its level, its text, its first line and the first line below it."""

    level: int
    text: str
    line: int
    below: int


def headings(lines: Sequence[str], most: int | None = None) -> list[Heading]:
    """Give the headings in order: `#` lines, and texts over a line of dashes (level 2).

    At most so many, where a number is given. Those inside closed fences are none; a fence that is
    never closed hides nothing.
    """
    fenced = fenced_lines(lines)
    found: list[Heading] = []
    for at, line in enumerate(lines):
        if len(found) == most:
            break
        if ("#" not in line and "---" not in line) or at in fenced:
            continue
        if "#" in line and (heading := _atx(line, at)):
            found.append(heading)
        elif at and at - 1 not in fenced and _is_rule(line) and _is_title(lines[at - 1]):
            found.append(Heading(2, lines[at - 1].strip(), at - 1, at + 1))
    return found


def without_ordinal(text: str) -> str:
    """Take a leading `8. ` or `3.1. ` off a heading."""
    ordinal = re.match(_ORDINAL, text)
    return text[ordinal.end() :] if ordinal else text


@cache
def _atx_line() -> re.Pattern[str]:
    return re.compile(r"[ \t]{0,3}(#{1,6})[ \t](.*)")


@cache
def _fence() -> re.Pattern[str]:
    return re.compile(r"[ \t]*(`{3,}|~{3,})(.*)")


def _atx(line: str, at: int) -> Heading | None:
    match = _atx_line().match(line)
    if not match:
        return None
    text = match[2].strip()
    bare = text.rstrip("#")
    if not bare or bare[-1] in " \t":
        text = bare.rstrip()
    return Heading(len(match[1]), text, at, at + 1) if text else None


def _is_rule(line: str) -> bool:
    bare = line.strip()
    return len(bare) >= _SHORTEST_RULE and not bare.strip("-")


def _is_title(line: str) -> bool:
    bare = line.strip()
    return bool(bare) and bare[0] not in "#>|*+-" and not re.match(_LIST_MARKER, bare)


def fenced_lines(lines: Sequence[str]) -> set[int]:
    """Give the lines of closed fences, their two marks included."""
    inside: set[int] = set()
    opened: tuple[str, int] | None = None
    for at, line in enumerate(lines):
        match = _fence().match(line) if "```" in line or "~~~" in line else None
        if match is None:
            continue
        mark, rest = match[1], match[2].strip()
        if opened is None:
            opened = (mark, at)
        elif mark[0] == opened[0][0] and len(mark) >= len(opened[0]) and not rest:
            inside.update(range(opened[1], at + 1))
            opened = None
    return inside
