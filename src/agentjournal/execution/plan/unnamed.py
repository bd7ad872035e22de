# ruff: noqa: RUF001 - the punctuation of Chinese, and dashes, are what is looked for
"""Lines that look like tasks but have no id, in a plan and in a note that was never one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agentjournal.execution.plan.items import Unnamed, chapters_of
from agentjournal.execution.plan.prose import is_bare_heading
from agentjournal.execution.plan.scan import BULLET

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agentjournal.execution.plan.scan import Scan
    from agentjournal.execution.plan.source import Line, Source

__all__ = ["all_unnamed"]

_PHASE = re.compile(
    r"(?:(?:phase|stage|step|milestone|sprint|iteration)\s+[0-9IVX]+|阶段\s*\S|第\S{1,3}阶段|\S*단계)",
    re.IGNORECASE,
)
_OPTIONAL = re.compile(r"\(?optional\b", re.IGNORECASE)
_SENTENCE_ENDS = (".", "!", "?", ":", "。", "！", "？", "：")


def all_unnamed(source: Source, found: Scan) -> Sequence[Unnamed]:
    """Give the unnamed lines of the scan; where it found nothing at all, the items of phases."""
    if found.items or found.unnamed:
        chapters = chapters_of(found.items)
        return [line for line in found.unnamed if line.owner is None or line.owner in chapters]
    return [line for phase, lines in _phases(source, found) for line in _items(phase, lines)]


def _phases(source: Source, found: Scan) -> Iterator[tuple[Line, Sequence[Line]]]:
    """Give each phase's heading and the lines below it, up to the next heading."""
    lines = source.lines
    starts = [heading.line - 1 for heading in found.headings] or [
        place for place in range(len(lines)) if is_bare_heading(lines, place)
    ]
    for start, end in zip(starts, [*starts, len(lines)][1:], strict=True):
        if _PHASE.match(lines[start].text.lstrip("# \t")):
            yield lines[start], lines[start + 1 : end]


def _items(phase: Line, lines: Sequence[Line]) -> Sequence[Unnamed]:
    """Give the phase's bullets, else its paragraphs, else the phase itself."""
    bullets = [line for line in lines if not line.is_quiet and BULLET.match(line.text)]
    top = min((line.indent for line in bullets), default=0)
    items = [_bullet(line) for line in bullets if line.indent == top]
    return items or [_paragraph(line) for line in _paragraphs(lines)] or [_heading(phase)]


def _paragraphs(lines: Sequence[Line]) -> Iterator[Line]:
    """Give each line that begins something: behind a blank line, or behind a sentence's end."""
    is_new = True
    for line in lines:
        text = line.text.strip()
        if is_new and text and not line.is_quiet and text.strip("-*_=") and text[0] not in "#|>":
            yield line
        is_new = not text or line.is_quiet or text.endswith(_SENTENCE_ENDS)


def _bullet(line: Line) -> Unnamed:
    bullet = BULLET.match(line.text)
    column = bullet.end() if bullet else 0
    text = line.text[column:]
    return Unnamed(line=line.number, column=column, form="box", text=text, before=_box(text))


def _paragraph(line: Line) -> Unnamed:
    column = len(line.text) - len(line.text.lstrip())
    text = line.text[column:]
    return Unnamed(line=line.number, column=column, form="box", text=text, before="- " + _box(text))


def _heading(line: Line) -> Unnamed:
    column = len(line.text) - len(line.text.lstrip("# \t"))
    return Unnamed(
        line=line.number,
        column=column,
        form="heading",
        text=line.text[column:],
        before="" if column else "### ",
    )


def _box(text: str) -> str:
    return "[ ]* " if _OPTIONAL.match(text) else "[ ] "
