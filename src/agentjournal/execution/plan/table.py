"""Tables of tasks: which column holds the ids, and what the others say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.execution.plan.ids import ID, NUMBER

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Row", "Table", "is_delimiter", "read_table"]

_PIPE = re.compile(r"(?<!\\)\|")
_CELL_ID = re.compile(rf"[\[*_`~]{{0,6}}({ID}|{NUMBER})[\]*_`~.|]{{0,6}}(?:\([^()]*\))?")
_IDS = frozenset(("id", "task id", "taskid", "task-id", "编号", "任务id", "任务编号", "작업 id"))
_NUMBERS = frozenset(("#", "no", "no.", "nr", "nr.", "序号", "번호"))
_TITLES = ("task", "title", "work", "step", "任务", "标题", "작업", "제목")
_WEAK_TITLES = ("name", "description", "summary", "what", "描述", "名称", "설명", "내용")
_DEPENDS = frozenset(
    ("depends on", "depends", "deps", "dependencies", "dependency", "blocked by", "依赖", "의존성")
)


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row: its id ('' where the cell is empty), its title, the other cells as `Name: cell`."""

    id: str
    column: int
    title: str
    details: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class Table:
    """The columns of a table that holds ids; `is_weak` where no header says that they are tasks."""

    headers: Sequence[str]
    id_column: int
    title_column: int
    is_weak: bool

    def row(self, line: str) -> Row | None:
        """Read a row; None where what stands in the id's cell is no id."""
        cells = _cells(line)
        if len(cells) <= max(self.id_column, self.title_column):
            return None
        start, text = cells[self.id_column]
        found = _CELL_ID.fullmatch(text)
        if text and not found:
            return None
        others = (self.id_column, self.title_column)
        return Row(
            id=found[1] if found else "",
            column=start,
            title=cells[self.title_column][1],
            details=[
                f"{header}: {cell}"
                for place, (header, (_, cell)) in enumerate(zip(self.headers, cells, strict=False))
                if place not in others and cell
            ],
        )


def is_delimiter(line: str) -> bool:
    """Say whether the line is the `|---|---|` below a table's header."""
    bare = line.strip()
    return {"|", "-"} <= set(bare) <= set("|-: \t")


def read_table(header: str) -> Table | None:
    """Read a table's header; None where no column holds ids."""
    headers = [re.sub(r"[*_`]", "", text).strip() for _, text in _cells(header)]
    names = [text.casefold() for text in headers]
    id_column = next((place for place, name in enumerate(names) if name in _IDS | _NUMBERS), None)
    if id_column is None and "task" in names and len(names) > 1:
        id_column = names.index("task")
    if id_column is None:
        return None
    others = [place for place in range(len(names)) if place != id_column]
    titles = _places(names, others, _TITLES)
    is_strong = bool(titles) or "task" in names[id_column] or bool(_DEPENDS & set(names))
    titles += _places(names, others, _WEAK_TITLES)
    if not titles and not is_strong and names[id_column] in _NUMBERS:
        return None  # numbered rows of anything
    return Table(
        headers=[
            "Depends on" if name in _DEPENDS else text
            for name, text in zip(names, headers, strict=True)
        ],
        id_column=id_column,
        title_column=(titles or others or [id_column])[0],
        is_weak=not is_strong,
    )


def _places(names: Sequence[str], places: Sequence[int], words: Sequence[str]) -> list[int]:
    """Give the columns whose header holds one of the words, in the words' order."""
    return [place for word in words for place in places if word in names[place].split()]


def _cells(line: str) -> list[tuple[int, str]]:
    """Give each cell's first column in the line, and its text."""
    ends = [found.start() for found in _PIPE.finditer(line)] + [len(line)]
    starts = [0, *(end + 1 for end in ends[:-1])]
    cells = [(start, line[start:end].strip()) for start, end in zip(starts, ends, strict=True)]
    if cells and not cells[0][1] and line.lstrip().startswith("|"):
        cells = cells[1:]
    return cells[:-1] if cells and line.rstrip().endswith("|") else cells
