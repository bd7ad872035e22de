"""Links of a Markdown text to documents beside it."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import unquote

from agentjournal.engmem.heading import fenced_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["siblings"]

_TICKS = re.compile(r"(`+)")
_INLINE = re.compile(r"(?<!!)\[[^\[\]\n]{0,400}\]\([ \t]{0,9}<?([^()<>\s]{1,300})")
_DEFINED = re.compile(r" {0,3}\[[^\[\]]{1,200}\]:[ \t]{0,9}<?([^<>\s]{1,300})")
_QUOTED = re.compile(r"\s{0,3}(?:(?:[-*+]|\d{1,9}[.)])\s{1,4}){0,4}>")
_LISTED = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s")
_SIBLING = re.compile(r"(?:\./)?([^/\\:?#]+)\.md(?:#.*)?")


def siblings(text: str) -> tuple[str, ...]:
    """Give the names, without `.md`, of linked files in the same folder, each once.

    Links in code and in block quotes are none of the document's own; pictures are no links.
    """
    found = (
        _SIBLING.fullmatch(unquote(target))
        for line in _own_lines(text.split("\n"))
        for target in _targets(line)
    )
    return tuple(dict.fromkeys(match[1] for match in found if match))


def _targets(line: str) -> list[str]:
    if match := _DEFINED.match(line):
        return [match[1]]
    return _INLINE.findall(_without_code(line))


def _without_code(line: str) -> str:
    """Leave out code: what stands between two runs of backticks of the same length."""
    kept: list[str] = []
    parts = _TICKS.split(line)  # texts and, at odd places, runs
    left = Counter(parts[1::2])
    closing = ""
    for at, part in enumerate(parts):
        if at % 2:
            left[part] -= 1
            closing = "" if part == closing else closing or (part if left[part] else "")
        elif not closing:
            kept.append(part)
    return "".join(kept)


def _own_lines(lines: list[str]) -> Iterator[str]:
    """Give the lines outside fences, indented code and quotes; a quote lasts to the next blank."""
    fenced = fenced_lines(lines)
    is_quoted = is_listed = was_blank = is_code = False
    for at, line in enumerate(lines):
        is_blank = not line.strip()
        is_indented = line.startswith(("    ", "\t"))
        is_code = is_indented and not is_listed and (was_blank or is_code or at == 0)
        is_quoted = not is_blank and (is_quoted or bool(_QUOTED.match(line)))
        if not is_blank and not is_indented:
            is_listed = bool(_LISTED.match(line)) or (is_listed and not was_blank)
        was_blank = is_blank
        if not (at in fenced or is_code or is_quoted or is_blank):
            yield line
