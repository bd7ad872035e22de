"""From what a scan found to tasks: which items are tasks, whose children, in which section."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.errors import Fault
from agentjournal.execution.plan import fields
from agentjournal.execution.plan.ids import is_numeric
from agentjournal.execution.plan.items import chapters_of
from agentjournal.execution.plan.model import PlannedTask
from agentjournal.execution.plan.prose import MAX_TITLE, cut
from agentjournal.execution.plan.scan import SECTION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agentjournal.execution.plan.items import Heading, Item

__all__ = ["Draft", "assemble"]


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A task before its dependencies are looked up; `named` is what its words name."""

    task: PlannedTask
    named: Sequence[fields.Mention]


def assemble(items: Sequence[Item]) -> tuple[Sequence[Draft], Sequence[Fault]]:
    """Make tasks of the items, in their order; of an id that stands twice the first one counts."""
    chosen, rows = _chosen(items)
    first: dict[str, Item] = {}
    for item in chosen:
        first.setdefault(item.id, item)
    twice = [_twice(item, first[item.id]) for item in chosen if item is not first[item.id]]
    builder = _Builder(_parents(chosen), rows)
    return [builder.draft(item) for item in first.values()], twice


class _Builder:
    """Makes one task after the other; what follows from the ones before is kept here."""

    def __init__(self, parents: Mapping[Item, Item], rows: Mapping[str, Sequence[Item]]) -> None:
        self._parents = parents
        self._containers = set(parents.values())
        self._rows = rows
        self._optional: set[Item] = set()
        self._order = _Order()
        self._place = 0

    def draft(self, item: Item) -> Draft:
        self._place += 1
        parent = self._parents.get(item)
        if item.is_optional or parent in self._optional:
            self._optional.add(item)
        section = _section(item, is_container=item in self._containers)
        section_place, rank = self._order.next(section, is_parallel=item.is_parallel)
        spoken = [item, *self._rows.get(item.id, ())]
        blocks = [block for each in spoken for block in fields.blocks(each)]
        task = PlannedTask(
            id=item.id,
            title=_title(item, blocks),
            text=_text(item),
            section=section.text if section else "",
            section_place=section_place,
            rank=rank,
            place=self._place,
            parent=parent.id if parent else None,
            files=fields.files(blocks),
            services=fields.services(blocks),
            verify=fields.verify(blocks),
            is_done=item.is_done or (item.form != "box" and fields.is_done(blocks)),
            is_optional=item in self._optional,
            is_container=item in self._containers,
            is_explicit=fields.is_independent(blocks),
            is_parallel=item.is_parallel,
            line=item.line,
        )
        return Draft(task=task, named=list(fields.dependencies(blocks)))


def _chosen(items: Sequence[Item]) -> tuple[list[Item], Mapping[str, Sequence[Item]]]:
    """Give the items that are tasks, and the table rows that only speak of one of them."""
    named = {item.id for item in items if item.form != "row"}
    rows: dict[str, list[Item]] = {}
    tasks = []
    for item in items:
        if item.form != "row" or (item.id not in named and not (item.is_weak and named)):
            tasks.append(item)
        else:
            rows.setdefault(item.id, []).append(item)
    chapters = chapters_of(tasks)
    return [item for item in tasks if item not in chapters], rows


def _parents(chosen: Sequence[Item]) -> Mapping[Item, Item]:
    """Give each child's parent: what it stands in, else what its number goes on from."""
    tasks = set(chosen)
    above: dict[Item, Item] = {}
    numbers: dict[str, Item] = {}
    for item in chosen:
        parent = item.parent
        while parent and parent not in tasks:
            parent = parent.parent
        shorter = item.id
        while parent is None and is_numeric(item.id) and "." in shorter:
            shorter = shorter.rpartition(".")[0]
            parent = numbers.get(shorter) or numbers.get(f"{shorter}.0")
        if parent:
            above[item] = parent
        numbers.setdefault(item.id, item)
    return above


def _section(item: Item, *, is_container: bool) -> Heading | None:
    """Give the section; a `##` heading that is itself a task is none, unless it holds tasks."""
    is_alone = item.form == "heading" and item.depth == SECTION and not is_container
    return None if is_alone else item.section


class _Order:
    """Sections and ranks as the tasks go by: consecutive parallel tasks share a rank."""

    def __init__(self) -> None:
        self._section: Heading | None = None
        self._section_place = 0
        self._rank = 0
        self._was_parallel = False

    def next(self, section: Heading | None, *, is_parallel: bool) -> tuple[int, int]:
        if section != self._section or not self._section_place:
            self._section, self._section_place = section, self._section_place + 1
            self._rank, self._was_parallel = 0, False
        self._rank += not (is_parallel and self._was_parallel)
        self._was_parallel = is_parallel
        return self._section_place, self._rank


def _title(item: Item, blocks: Sequence[fields.Block]) -> str:
    words = (block.text for block in blocks if block.text.strip())
    return cut(next(words, "") or item.id, MAX_TITLE)


def _text(item: Item) -> str:
    """Give the task's own words: the title's line, then its other lines as they stand."""
    lines = [*item.own]
    while lines and not lines[-1].is_quiet and not lines[-1].text.strip("-*_ \t"):
        lines.pop()  # blank lines, and the rule before the next task
    filled = [line.indent for line in lines if not line.is_blank]
    margin = min(filled, default=0)
    own = [
        line.text if not margin else " " * (line.indent - margin) + line.text.lstrip()
        for line in lines
    ]
    return "\n".join([item.title, *(text.rstrip() for text in own)]).strip("\n")


def _twice(item: Item, first: Item) -> Fault:
    return Fault(
        field=f"line {item.line}, {item.id}",
        rule="an id stands for one task",
        got=f"{item.id} also in line {first.line}",
        remedy="Give one of the two another id.",
    )
