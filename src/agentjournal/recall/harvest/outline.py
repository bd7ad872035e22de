"""A decision record as sections, whichever markup it is written in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.engmem.heading import headings, without_ordinal
from agentjournal.recall.prose import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Part", "outline"]

_UNDERLINE = re.compile(r"([=\-~^\"'`#*+.:_])\1{2,}\s*")
_ASCIIDOC = re.compile(r"(={1,6}) +(\S.*)")
_BOLD = re.compile(r"(?:\*\*|__)([^*_\n]{2,100}?):?(?:\*\*|__):?\s*")
_SECTION = re.compile(
    r"(?:status|context|decision|consequences|alternatives?|considered|options?|rejected|pros and cons)\b",
    re.IGNORECASE,
)
_DOTS = re.compile(r"^\.{1,5} (?=\S)")


@dataclass(frozen=True)
class Part:
    """A section: its level and heading, the text before its first subsection, all below it."""

    level: int
    heading: str
    text: str
    parts: tuple[Part, ...]

    def walk(self) -> Iterator[Part]:
        """Give this section and every one below it, in order."""
        yield self
        for part in self.parts:
            yield from part.walk()

    @property
    def whole(self) -> str:
        """Give the text with that of every subsection."""
        return "\n\n".join([self.text, *(f"{part.heading}\n\n{part.whole}" for part in self.parts)])


def outline(text: str, suffix: str) -> Part:
    """Read Markdown, reStructuredText or AsciiDoc; the top part has level 0 and no heading."""
    lines = _without_comments(text).split("\n")
    match suffix:
        case "rst" | "txt":
            lines = _without_underlines(lines)
        case "adoc" | "asciidoc":
            lines = [_DOTS.sub("- ", _ASCIIDOC.sub(_as_markdown, line)) for line in lines]
        case _:
            lines = _with_bold_headings(_without_double_rules(lines))
    marks = headings(lines)
    ends = [*(mark.line for mark in marks), len(lines)]
    flat = [
        (mark.level, plain(without_ordinal(mark.text)), "\n".join(lines[mark.below : end]))
        for mark, end in zip(marks, ends[1:], strict=True)
    ]
    parts, _ = _nested(flat, 0, 0)
    return Part(0, "", "\n".join(lines[: ends[0]]), parts)


def _nested(
    flat: Sequence[tuple[int, str, str]], at: int, above: int
) -> tuple[tuple[Part, ...], int]:
    """Gather the sections from `at` on that lie deeper than the level above."""
    parts: list[Part] = []
    while at < len(flat) and flat[at][0] > above:
        level, heading, text = flat[at]
        below, at = _nested(flat, at + 1, level)
        parts.append(Part(level, heading, text, below))
    return tuple(parts), at


def _without_comments(text: str) -> str:
    """Take out `<!-- ... -->`; one that is never closed stays."""
    first, *rest = text.split("<!--")
    kept = [first]
    for at, piece in enumerate(rest):
        _, is_closed, after = piece.partition("-->")
        if not is_closed:
            kept.append("<!--" + "<!--".join(rest[at:]))
            break
        kept.append(after)
    return "".join(kept)


def _with_bold_headings(lines: Sequence[str]) -> list[str]:
    """Write lines of nothing but bold text as headings: sections by name, others one level down."""
    found: list[str] = []
    level, is_code = 1, False
    for line in lines:
        is_code ^= line.lstrip().startswith(("```", "~~~"))
        heading = "" if is_code else line[: len(line) - len(line.lstrip("#"))]
        bold = None if is_code else _BOLD.fullmatch(line)
        level = len(heading) or level
        if bold and _SECTION.match(bold[1]):
            level = 2
            found.append(f"## {bold[1]}")
        else:
            found.append(f"{'#' * min(level + 1, 6)} {bold[1]}" if bold else line)
    return found


def _as_markdown(heading: re.Match[str]) -> str:
    return f"{'#' * len(heading[1])} {heading[2]}"


def _without_underlines(lines: Sequence[str]) -> list[str]:
    """Write the underlined titles of reStructuredText as `#` headings, levels by first use."""
    found: list[str] = []
    marks: list[str] = []
    for at, line in enumerate(lines):
        title = lines[at - 1].strip() if at else ""
        is_title = bool(title) and not _UNDERLINE.fullmatch(title)
        if is_title and _UNDERLINE.fullmatch(line) and len(line.rstrip()) >= len(title):
            if line[0] not in marks:
                marks.append(line[0])
            found[-1] = f"{'#' * min(marks.index(line[0]) + 1, 6)} {title}"
            found.append("")
        elif not (
            _UNDERLINE.fullmatch(line)
            and at + 2 < len(lines)
            and _UNDERLINE.fullmatch(lines[at + 2])
        ):
            found.append(line)
        else:
            found.append("")
    return found


def _without_double_rules(lines: Sequence[str]) -> list[str]:
    """Write a Markdown title over a line of `=` as a `#` heading."""
    found = list(lines)
    for at, line in enumerate(lines):
        if at and lines[at - 1].strip() and line.strip() and not line.strip().strip("="):
            found[at - 1 : at + 1] = [f"# {lines[at - 1].strip()}", ""]
    return found
