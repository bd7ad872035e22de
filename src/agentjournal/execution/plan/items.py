"""What a scan finds in a plan: items with an id and their lines, and items without one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from agentjournal.execution.plan.ids import extends, is_numeric, is_reference, is_task_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.execution.plan.source import Line

__all__ = ["Form", "Heading", "Item", "Unnamed", "chapters_of"]

Form = Literal["heading", "box", "row"]


@dataclass(frozen=True, kw_only=True)
class Heading:
    """A heading that may turn out to be a section; `line` tells it from one of the same words."""

    line: int
    level: int
    text: str


@dataclass(eq=False, kw_only=True)
class Item:
    """A line with an id, and what belongs to it; grows while the lines below are read.

    `depth` is a heading's level or a box's indent. A row is `is_weak` where its table does not say
    that it holds tasks.
    """

    form: Form
    id: str
    title: str
    line: int
    depth: int
    section: Heading | None
    parent: Item | None = None
    is_done: bool = False
    is_optional: bool = False
    is_parallel: bool = False
    is_weak: bool = False
    own: list[Line] = field(default_factory=list)

    def holds(self, name: str) -> bool:
        """Say whether an item of this id inside it is a task of its own, and not one of its steps.

        Inside `T-001` only `T-001.1` and other tasks are, not criteria and numbered steps; a
        chapter that has an id (`## M1 Core`) holds whatever has one.
        """
        if extends(name, self.id) or is_task_id(name):
            return True
        if self.form != "heading" or is_task_id(self.id) or is_reference(name):
            return False
        return self.depth <= 2 or not is_numeric(name)  # noqa: PLR2004 - the level of sections


@dataclass(frozen=True, kw_only=True)
class Unnamed:
    """A line that looks like a task but has no id; one goes in at `column`, behind `before`.

    `owner` is the heading it stands below, where that has an id: of a task it is a step.
    """

    line: int
    column: int
    form: Form
    text: str
    before: str = ""
    owner: Item | None = None


def chapters_of(items: Sequence[Item]) -> set[Item]:
    """Give the headings whose id names a chapter: they hold tasks whose ids do not go on theirs."""
    held = {item.parent for item in items if item.parent}
    own = {item.parent for item in items if item.parent and extends(item.id, item.parent.id)}
    return {item for item in held - own if item.form == "heading" and not is_task_id(item.id)}
