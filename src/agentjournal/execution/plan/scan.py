# ruff: noqa: RUF001 - the punctuation of Chinese, and dashes, are what is looked for
"""One pass over the lines of a plan: headings, boxes and table rows, and whose each line is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.execution.plan.ids import Lead, is_task_id, read_lead
from agentjournal.execution.plan.items import Heading, Item, Unnamed
from agentjournal.execution.plan.table import Table, is_delimiter, read_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.execution.plan.items import Form
    from agentjournal.execution.plan.source import Line

__all__ = ["BULLET", "Scan", "scan"]

BULLET = re.compile(r"\s*(?:[-*+]|[0-9]{1,9}[.)])(?:\s+|$)")
SECTION = 2  # the level of the headings that are sections
_HASHES = re.compile(r" {0,3}(#{1,6})(?:[ \t]+|$)")
_BOX = re.compile(BULLET.pattern + r"\[([^\w\n]|[xX]|[ \t]{0,3})\](\*?)(?:\s+(.*)|$)")
_TICK = re.compile(r"\[([^\w\n]|[xX])\]\s+")
_RULE = re.compile(r"\s*([-*_])(?:\s*\1){2,}\s*")
_CRITERIA = re.compile(
    r"[*_#\s]*(?:(?:acceptance|success|exit) criteria|definition of done|验收标准)\b", re.IGNORECASE
)
_LOOKS_LIKE_TASK = re.compile(r"(?:Task|任务|작업)\s*[:：—–-]\s*\S", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Scan:
    """What stands in a plan, in the order of its lines."""

    items: Sequence[Item]
    unnamed: Sequence[Unnamed]
    headings: Sequence[Heading]


def scan(lines: Sequence[Line]) -> Scan:
    """Find every item in one pass; the time is linear in the text."""
    scanner = _Scanner()
    for place, line in enumerate(lines):
        below = lines[place + 1].text if place + 1 < len(lines) else ""
        scanner.read(line, below)
    return Scan(items=scanner.items, unnamed=scanner.unnamed, headings=scanner.headings)


class _Scanner:
    """Where the scan stands: the open headings, the open boxes, the open table."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.unnamed: list[Unnamed] = []
        self.headings: list[Heading] = []
        self._section: Heading | None = None
        self._chapters: list[tuple[int, Item | None]] = []
        self._boxes: list[tuple[int, Item | None]] = []
        self._table: Table | None = None
        self._is_criteria = False  # boxes that follow check a task, and are none
        self._nameless = 0  # the level of a heading that is a task without an id
        self._is_after_blank = True
        self._is_after_code = False

    def read(self, line: Line, below: str) -> None:
        if line.is_quiet:
            if self._is_after_blank:
                self._leave_boxes(line.indent)
            self._keep(line)
        elif line.is_blank:
            self._keep(line)
            self._table = None
        elif hashes := _HASHES.match(line.text):
            self._read_heading(line, hashes)
        elif box := _BOX.fullmatch(line.text):
            self._read_box(line, box)
        elif not self._read_table(line, below):
            self._read_text(line)
        self._is_after_blank = line.is_blank and not line.is_quiet
        self._is_after_code = line.is_quiet

    def _read_heading(self, line: Line, hashes: re.Match[str]) -> None:
        self._boxes, self._table = [], None
        level, text = len(hashes[1]), _unhashed(line.text[hashes.end() :])
        while self._chapters and self._chapters[-1][0] >= level:
            self._chapters.pop()
        self._nameless = 0 if level <= self._nameless else self._nameless
        heading = Heading(line=line.number, level=level, text=text)
        self.headings.append(heading)
        if level <= SECTION:
            self._section = heading if level == SECTION else None
        self._is_criteria = _CRITERIA.match(text) is not None
        tick = _TICK.match(text)
        bare = text[tick.end() :] if tick else text
        lead = read_lead(bare, is_heading=True)
        item = self._found("heading", line, lead, level) if lead else None
        if item:
            item.is_done = tick is not None and tick[1] in {"x", "X"}
        else:
            self._keep(line)
            column = line.text.index(bare, hashes.end())
            if _LOOKS_LIKE_TASK.match(bare) and self._miss("heading", line, column, bare):
                self._nameless = level
        self._chapters.append((level, item))

    def _read_box(self, line: Line, box: re.Match[str]) -> None:
        self._table = None
        self._leave_boxes(line.indent)
        text = box[3] or ""
        lead = read_lead(text)
        item = self._found("box", line, lead, line.indent) if lead else None
        if item:
            item.is_done, item.is_optional = box[1] in {"x", "X"}, bool(box[2])
            self._boxes.append((line.indent, item))
        else:
            self._keep(line)
            is_step = bool(self._boxes) or self._is_criteria
            if text and not is_step and self._miss("box", line, box.start(3), text):
                self._boxes.append((line.indent, None))

    def _read_table(self, line: Line, below: str) -> bool:
        if "|" not in line.text:
            self._table = None
            return False
        if self._table is None:
            self._table = read_table(line.text) if is_delimiter(below) else None
            return False
        if is_delimiter(line.text) or not (row := self._table.row(line.text)):
            return False
        if not row.id:
            return bool(row.title) and self._miss("row", line, row.column, row.title)
        item = self._found("row", line, Lead(row.id, row.title), line.indent)
        if item:
            item.is_weak = self._table.is_weak
            item.own = [line._replace(text=detail, indent=0) for detail in row.details]
        return item is not None

    def _read_text(self, line: Line) -> None:
        is_bullet = BULLET.match(line.text) is not None
        is_apart = self._is_after_blank or self._is_after_code
        if is_bullet or is_apart or _RULE.fullmatch(line.text):
            self._leave_boxes(line.indent)
        if not (is_bullet or line.indent):
            self._is_criteria = _CRITERIA.match(line.text) is not None
        self._keep(line)

    def _found(self, form: Form, line: Line, lead: Lead, depth: int) -> Item | None:
        """Open an item, unless what it stands in takes it for one of its own lines."""
        parent = self._owner()
        if parent and not parent.holds(lead.id):
            return None
        item = Item(
            form=form,
            id=lead.id,
            title=lead.title,
            line=line.number,
            depth=depth,
            section=self._section,
            parent=parent,
            is_parallel=lead.is_parallel,
        )
        self.items.append(item)
        return item

    def _miss(self, form: Form, line: Line, column: int, text: str) -> bool:
        """Note a line without an id, unless it is clearly a step of a task; say whether it was."""
        owner = self._owner()
        if self._nameless or (owner and (owner.form != "heading" or is_task_id(owner.id))):
            return False
        self.unnamed.append(
            Unnamed(line=line.number, column=column, form=form, text=text, owner=owner)
        )
        return True

    def _leave_boxes(self, indent: int) -> None:
        while self._boxes and self._boxes[-1][0] >= indent:
            self._boxes.pop()

    def _owner(self) -> Item | None:
        """Give the innermost item that is open here."""
        box = next((item for _, item in reversed(self._boxes) if item), None)
        return box or next((item for _, item in reversed(self._chapters) if item), None)

    def _keep(self, line: Line) -> None:
        """Give the line to the innermost item."""
        if owner := self._owner():
            owner.own.append(line)


def _unhashed(text: str) -> str:
    """Take the closing hashes off a heading's text."""
    bare = text.strip()
    if not bare.endswith("#"):
        return bare
    shorter = bare.rstrip("#")
    return shorter.rstrip() if not shorter or shorter[-1].isspace() else bare
