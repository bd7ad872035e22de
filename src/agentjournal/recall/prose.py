"""Markdown prose as items: what a list or a paragraph says, without its markup."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Item", "first_sentence", "items", "labelled", "plain"]

_LINK = re.compile(r"!?\[([^\]\n]{0,300})\](?:\([^)\s]{0,300}\)|\[[^\]\n]{0,80}\])")
_MARKS = re.compile(r"\*\*|__|</?[a-zA-Z][^>\n]{0,80}>")
_BULLET = re.compile(r"([ \t]{0,12})(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.*)")
_LABEL = re.compile(
    r"\*{0,2}([A-Za-z][A-Za-z '/-]{1,40}?)\*{0,2}(?::\*{0,2}|\*\*[ \t]+[\u2013\u2014-])[ \t]+"
)
_LABEL_LINE = re.compile(r"[*_]{0,2}[A-Z][\w '/-]{1,40}:?[*_]{0,2}:?\s*")
_ROLE = re.compile(r":[a-z][\w:+.-]{0,30}:`(?:[~!.]*)([^`<]{1,200}?)(?: <[^>]{0,200}>)?`")
_SENTENCE = re.compile(r"(?<!e\.g)(?<!i\.e)(?<!etc)[.!?;](?=\s)")
_SHORTEST = 12  # characters of a first sentence
_CODE = (
    "    ",
    "\t",
    "  .. ",
    ".. ",
)  # code by indent, directives and comments of reStructuredText
_FENCE = ("```", "~~~", ":::")


@dataclass(frozen=True)
class Item:
    """One list item or paragraph on one line; `depth` is 0 outside of a nested list."""

    depth: int
    text: str
    is_listed: bool


def plain(text: str) -> str:
    """Give Markdown or reStructuredText without emphasis, links, roles and tags, on one line."""
    bare = _MARKS.sub("", _LINK.sub(r"\1", _ROLE.sub(r"`\1`", text)))
    return " ".join(bare.replace("``", "`").split())


def items(text: str) -> list[Item]:
    """Give the list items and paragraphs of a text in order; code and tables are left out."""
    found: list[Item] = []
    for depth, is_listed, lines in _blocks(text):
        told = plain(" ".join(lines))
        if told:
            found.append(Item(depth, told, is_listed))
    return found


def labelled(text: str) -> tuple[str, str]:
    """Split `Decision: jitter` into its casefolded label and the rest; no label is empty."""
    match = _LABEL.match(text)
    return (match[1].strip().casefold(), text[match.end() :]) if match else ("", text)


def first_sentence(text: str) -> tuple[str, str]:
    """Split a text behind its first sentence or clause of some length."""
    for match in _SENTENCE.finditer(text):
        if match.start() >= _SHORTEST:
            return text[: match.start()].rstrip(), text[match.end() :].strip()
    return text.rstrip(" .;:"), ""


def _blocks(text: str) -> Iterator[tuple[int, bool, list[str]]]:
    """Give each block with its depth; an indented paragraph below a list item belongs to the list."""
    lines: list[str] = []
    depth, is_listed = 0, False
    for line in _prose_lines(text):
        bullet = _BULLET.match(line)
        is_label = ":" in line and _LABEL_LINE.fullmatch(line)
        if lines and (bullet or is_label or not line.strip()):
            yield depth, is_listed, lines
            lines = []
        if bullet:
            depth, is_listed = len(bullet[1].expandtabs(4)) // 2, True
            lines = [bullet[2]]
        elif line.strip():
            if not lines and not (is_listed and line[0] in " \t"):
                depth, is_listed = 0, False
                if line.startswith(_CODE):
                    continue
            lines.append(line.strip().lstrip("> "))
    if lines:
        yield depth, is_listed, lines


def _prose_lines(text: str) -> Iterator[str]:
    """Give every line, an empty one where code, a table or a comment stands."""
    is_code = False
    for line in text.split("\n"):
        bare = line.strip()
        is_fence = bare.startswith(_FENCE)
        is_code ^= is_fence
        yield "" if is_code or is_fence or bare.startswith(("|", "<!--")) else line
