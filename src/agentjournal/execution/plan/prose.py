# ruff: noqa: RUF001 - the punctuation of Chinese, and dashes, are what is looked for
"""The words about a plan as a whole: its title and its goal, each one line."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from agentjournal.execution.plan.scan import BULLET

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agentjournal.execution.plan.items import Heading
    from agentjournal.execution.plan.source import Line, Source

__all__ = ["cut", "goal_of", "is_bare_heading", "title_of"]

MAX_TITLE = 200  # characters
MAX_GOAL = 600  # characters
MAX_BARE_HEADING = 80
_SENTENCE = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)[.!?](?=\s[^a-z])|[。！？]")
_WORDS = r"(?:goals?|summary|overview|introduction|目标|概述|摘要|목표|개요)"
_GOAL = re.compile(rf"[\d.\s*_]*{_WORDS}[\s:：*_]*", re.IGNORECASE)
_GOAL_LABEL = re.compile(rf"\A[*_]{{0,3}}{_WORDS}[*_]{{0,3}}[:：][*_]{{0,3}}\s*", re.IGNORECASE)
_LABEL = re.compile(r"\*\*[^*:：]{1,40}(?:\*\*[:：]|[:：]\*\*)")
_NO_PARAGRAPH = ("#", "|", ">", "---", "***", "___", "===", "![")


def cut(text: str, limit: int) -> str:
    """Give the text as one line of at most so many characters, ended at a sentence or a word."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    ends = [found.end() for found in _SENTENCE.finditer(line, 0, limit + 2)]
    whole = next((end for end in reversed(ends) if _is_whole(line[:end])), 0)
    if whole:
        return line[:whole]
    head = line[: limit - 1]
    return head[: head.rfind(" ") if head.rfind(" ") > limit // 2 else limit - 1].rstrip() + "…"


def _is_whole(text: str) -> bool:
    """Say whether no bracket and no code is left open."""
    return text.count("(") == text.count(")") and text.count("`") % 2 == 0


def title_of(source: Source, headings: Sequence[Heading], path: str) -> str:
    """Give the front matter's title, else the first `#` heading, else the file's name."""
    named = source.front.get("title")
    if isinstance(named, str) and named.strip():
        return cut(named, MAX_TITLE)
    first = next((heading.text for heading in headings if heading.level == 1 and heading.text), "")
    name = PurePosixPath(path.replace("\\", "/")).stem
    return cut(first or name or "plan", MAX_TITLE)


def goal_of(source: Source, headings: Sequence[Heading]) -> str:
    """Give what the plan says that it is for, without the word that says so.

    That is the first paragraph under Goal, Summary, Overview or Introduction; else the first below
    the title that is no `**Input**:` or the like; else all that begin with `Goal:`, as each story of
    a spec-kit plan has one; else the first. In a note without any `#`, a line that stands alone is a
    heading.
    """
    lines = source.lines
    stated = next((heading.line for heading in headings if _GOAL.fullmatch(heading.text)), 0)
    if not headings:
        bare = (line.number for line in lines if _GOAL.fullmatch(line.text))
        stated = next((number for number in bare if is_bare_heading(lines, number - 1)), 0)
    if stated:
        return _said(text for _, text in islice(_paragraphs(lines[stated:]), 1))
    title = next((heading.line for heading in headings if heading.level == 1), 0)
    end = next((heading.line for heading in headings if heading.line > title), len(lines) + 1)
    found = list(_paragraphs(lines[title:]))
    below = (text for at, text in found if at < end and not _is_other(text))
    goals = [text for _, text in found if _GOAL_LABEL.match(text)]
    return _said([*islice(below, 1)] or goals or [text for _, text in found[:1]])


def _is_other(text: str) -> bool:
    """Say whether a paragraph has a label in bold that names something else than a goal."""
    return _LABEL.match(text) is not None and not _GOAL_LABEL.match(text)


def _said(paragraphs: Iterable[str]) -> str:
    """Give paragraphs as one line, each without its own `Goal:`."""
    return cut(" ".join(_GOAL_LABEL.sub("", text) for text in paragraphs), MAX_GOAL)


def is_bare_heading(lines: Sequence[Line], place: int) -> bool:
    """Say whether the line stands alone, is short, and ends like no sentence."""
    line = lines[place]
    around = [*lines[max(place - 1, 0) : place], *lines[place + 1 : place + 2]]
    return (
        not line.is_quiet
        and 0 < len(line.text) <= MAX_BARE_HEADING
        and line.indent == 0
        and line.text[-1] not in ".,;:!?。；：！？"
        and not _is_no_paragraph(line)
        and all(other.is_blank for other in around)
    )


def _paragraphs(lines: Iterable[Line]) -> Iterator[tuple[int, str]]:
    """Give each paragraph as one line, and where it begins; a label in bold begins another one."""
    begin, words = 0, list[str]()
    for line in _until_section(lines):
        is_gap = line.is_blank or line.is_quiet or line.text.lstrip().startswith("#")
        if words and (is_gap or _LABEL.match(line.text)):
            yield begin, " ".join(words)
            words = []
        if not is_gap and (words or not _is_no_paragraph(line)):
            begin = begin if words else line.number
            words.append(line.text.strip())
    if words:
        yield begin, " ".join(words)


def _until_section(lines: Iterable[Line]) -> Iterator[Line]:
    """Give the lines up to where the words would be too many to be wanted."""
    length = 0
    for line in lines:
        yield line
        length += len(line.text)
        if length > 64 * MAX_GOAL:
            return


def _is_no_paragraph(line: Line) -> bool:
    text = line.text.strip()
    return text.startswith(_NO_PARAGRAPH) or BULLET.match(text) is not None
