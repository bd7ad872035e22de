"""Look up what dependencies name, and say what is wrong with a plan's tasks."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from agentjournal.errors import Fault
from agentjournal.execution.plan.cycles import find_cycles
from agentjournal.execution.plan.ids import is_numeric
from agentjournal.execution.plan.order import needed_earlier
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agentjournal.execution.plan.assemble import Draft
    from agentjournal.execution.plan.fields import Mention
    from agentjournal.execution.plan.items import Unnamed
    from agentjournal.execution.plan.model import PlannedTask

__all__ = ["MAX_DEPENDENCIES", "Connected", "faults_of", "unnamed_faults"]

MAX_DEPENDENCIES = 200_000  # of a whole plan
_SHOWN_IN_CIRCLE = 12
_STORY = re.compile(r"US[0-9]+")
_DISCOVERED = re.compile(r"U-[0-9]+")


class Connected:
    """The tasks with their dependencies looked up; what was named and is no task of the plan."""

    def __init__(self, drafts: Sequence[Draft]) -> None:
        self._names = [draft.task.id for draft in drafts]
        self._places = {name: place for place, name in enumerate(self._names)}
        self._has_numbers = any(map(is_numeric, self._names))
        self._room = MAX_DEPENDENCIES
        self.faults: list[Fault] = []
        self.notes: list[str] = []
        self.tasks: tuple[PlannedTask, ...] = tuple(map(self._connect, drafts))
        for name in needed_earlier(self.tasks):
            self.notes.append(f"{name} comes earlier than it stands: a task before it needs it")

    def _connect(self, draft: Draft) -> PlannedTask:
        needs: dict[str, None] = {}
        for named in draft.named if self._room >= 0 else ():
            found = self._meant(named, draft.task.id)
            if not found:
                self._miss(draft.task.id, named)
            needs.update(dict.fromkeys(found))
        self._room -= len(needs)
        if needs and self._room < 0:
            self.faults.append(_too_many(draft.task))
            needs = {}
        is_explicit = bool(needs) or draft.task.is_explicit
        return replace(draft.task, depends=tuple(needs), is_explicit=is_explicit)

    def _meant(self, named: Mention, task: str) -> Sequence[str]:
        """Give the task that is named, or all others from one to the other (`T003-T006`)."""
        name = named.name
        if not named.until and name in self._places:
            return (name,)
        dashes = (found.start() for found in re.finditer("-", name))
        ends = [(name, named.until)] if named.until else [(name[:d], name[d + 1 :]) for d in dashes]
        for first, last in ends:
            if first in self._places and last in self._places:
                between = self._names[self._places[first] : self._places[last] + 1]
                return [other for other in between if other != task]
        return ()

    def _miss(self, task: str, named: Mention) -> None:
        name = f"{named.name}-{named.until}" if named.until else named.name
        if _STORY.fullmatch(name):
            self.notes.append(f"line {named.line}, {task}: {name} is a story, no task; left out")
        elif not is_numeric(named.name) or (self._has_numbers and "." in named.name):
            self.faults.append(
                Fault(
                    field=f"line {named.line}, {task}",
                    rule="a dependency names a task of the plan",
                    got=name,
                    remedy="Correct the id, or take it out of the words behind `depends on`.",
                )
            )


def _too_many(task: PlannedTask) -> Fault:
    return Fault(
        field=f"line {task.line}, {task.id}",
        rule=f"a plan has at most {MAX_DEPENDENCIES:,} dependencies",
        got="more",
        remedy="Let tasks wait by their order, or split the plan.",
    )


def faults_of(tasks: Sequence[PlannedTask]) -> Iterator[Fault]:
    """Give the faults of the tasks as a whole: reserved ids, circles, or that there is none."""
    for task in tasks:
        if _DISCOVERED.fullmatch(task.id):
            yield Fault(
                field=f"line {task.line}, {task.id}",
                rule="U-001 and the like are kept for work that is discovered on the way",
                got=task.id,
                remedy="Give the task another letter.",
            )
    lines = {task.id: task.line for task in tasks}
    for circle in find_cycles(tasks):
        yield Fault(
            field=f"line {lines[circle[0]]}, {circle[0]}",
            rule="no task waits for itself",
            got=_named(circle),
            remedy="Take one of these dependencies out.",
        )


def _named(circle: Sequence[str]) -> str:
    shown = [*circle[:_SHOWN_IN_CIRCLE], *(["…"] if len(circle) > _SHOWN_IN_CIRCLE else [])]
    return " → ".join([*shown, circle[0]])


def unnamed_faults(unnamed: Sequence[Unnamed]) -> Iterator[Fault]:
    """Give a fault for each line that looks like a task but has no id."""
    for line in unnamed:
        yield Fault(
            field=f"line {line.line}",
            rule="a task has an id",
            got=one_line(line.text, 80),
            remedy="Run `agentjournal plan ids FILE`, which proposes one.",
        )
