"""Who waits for whom: explicit dependencies, else the order of sections and ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

__all__ = ["Ordered", "needed_earlier", "waits"]

_Place = tuple[int, int]  # section's place, rank
_WHOLE = 0  # as a rank: every rank of the section


class Ordered(Protocol):
    """What the order needs to know of a task; a `PlannedTask` and a row of the database have it.

    `section_place` 0 means outside the order (discovered work): such a task waits only for its
    explicit dependencies, and nobody waits for it by order.
    """

    @property
    def id(self) -> str:
        """Give the id."""
        ...

    @property
    def section_place(self) -> int:
        """Give the section's place, from 1."""
        ...

    @property
    def rank(self) -> int:
        """Give the rank within its section, from 1."""
        ...

    @property
    def depends(self) -> Collection[str]:
        """Give the explicit dependencies."""
        ...

    @property
    def is_explicit(self) -> bool:
        """Say whether these are all, even where there are none: the order does not count."""
        ...

    @property
    def parent(self) -> str | None:
        """Give the container's id."""
        ...

    @property
    def is_optional(self) -> bool:
        """Say whether nobody waits for it."""
        ...

    @property
    def is_container(self) -> bool:
        """Say whether it stands for its children."""
        ...


def waits(tasks: Sequence[Ordered], done: AbstractSet[str]) -> Mapping[str, tuple[str, ...]]:
    """Give for every task the ids of the unfinished tasks that it waits for, () where it may start.

    A task with explicit dependencies, or with the word that it has none, waits for these alone; any
    other for all tasks of the rank before in its section, the first rank of a section for all of
    the section before. Ranks and sections that hold nothing to wait for are passed over: nobody
    waits for an optional task, and a container stands for its required children, however deep. What
    a container depends on, its children wait for too. A container itself has the required children
    that are not done: it is done where it has none. An id that is no task here is unfinished unless
    it is in `done`.

    What is needed earlier comes earlier: where T1 depends on T3, which stands behind it without a
    dependency of its own, T3 waits for what stands before T1. So a plan whose explicit
    dependencies have no circle can always be carried out.

    `done` holds the ids that count as done. The time is linear in tasks and dependencies: tasks
    that wait for the same rank, section or container share one tuple.
    """
    plan = _Waits(tasks, done)
    return {task.id: plan.of(task) for task in tasks}


def needed_earlier(tasks: Sequence[Ordered]) -> Mapping[str, tuple[int, int]]:
    """Give the tasks that one standing before them depends on, with the first such one's place.

    The place is its section's and its rank. It counts through other tasks and containers, too.
    """
    plan = {task.id: task for task in tasks}
    children: dict[str, list[str]] = {}
    for task in tasks:
        if task.parent is not None:
            children.setdefault(task.parent, []).append(task.id)
    early: dict[str, _Place] = {}
    spent: set[str] = set()  # containers whose dependencies were looked at, at the first place
    roots = (task for task in tasks if task.section_place and not task.is_container)
    for root in sorted(roots, key=_place):
        needed = [] if root.id in early or root.is_optional else _needs(root, plan, spent)
        while needed:
            other = plan.get(needed.pop())
            if other is None or other.is_optional:
                continue
            if other.is_container:
                needed += children.pop(other.id, ())
            elif _place(root) < _place(other) and other.id not in early:
                early[other.id] = _place(root)
                needed += _needs(other, plan, spent)
    return early


def _place(task: Ordered) -> _Place:
    return task.section_place, task.rank


def _needs(task: Ordered, plan: Mapping[str, Ordered], spent: set[str]) -> list[str]:
    """Give what the task names, and what the containers around it name unless that was given."""
    names = [*task.depends]
    above = plan.get(task.parent or "")
    while above and above.id not in spent:
        spent.add(above.id)
        names += above.depends
        above = plan.get(above.parent or "")
    return names


def _ranks_before(
    places: Iterable[_Place], held: AbstractSet[_Place]
) -> Mapping[_Place, _Place | None]:
    """Give what each place comes after: a held rank, a `_WHOLE` section that holds one, or None."""
    before: dict[_Place, _Place | None] = {}
    section, entry, last = (
        0,
        None,
        None,
    )  # the section gone through, what it and the next rank follow
    for place in sorted(places):
        if place[0] != section:
            section, entry = place[0], (section, _WHOLE) if last else entry
            last = None
        before[place] = last or entry
        last = place if place in held else last
    return before


class _Waits:
    """The plan with what is done, and every answer that several tasks share."""

    def __init__(self, tasks: Sequence[Ordered], done: AbstractSet[str]) -> None:
        self._tasks = {task.id: task for task in tasks}
        self._done = done
        self._children: dict[str, list[Ordered]] = {}
        self._members: dict[_Place, list[str]] = {}
        for task in tasks:
            if task.parent is not None and not task.is_optional:
                self._children.setdefault(task.parent, []).append(task)
            if task.section_place and not (task.is_optional or task.is_container):
                for rank in (task.rank, _WHOLE):
                    self._members.setdefault((task.section_place, rank), []).append(task.id)
        places = {(task.section_place, task.rank) for task in tasks if task.section_place}
        self._before = _ranks_before(places, self._members.keys())
        self._early = needed_earlier(tasks)
        self._unmet: dict[_Place, tuple[str, ...]] = {}
        self._leaves: dict[str, tuple[str, ...]] = {}
        self._gates: dict[str, tuple[str, ...]] = {}

    def of(self, task: Ordered) -> tuple[str, ...]:
        if task.is_container:
            return self._unfinished(task.id)
        is_explicit = task.is_explicit or task.depends
        own = self._explicit(task) if is_explicit else self._by_order(task)
        return own if task.parent is None else _joined([own, self._gate(task.parent)])

    def _by_order(self, task: Ordered) -> tuple[str, ...]:
        place = self._before.get(self._early.get(task.id, _place(task)))
        if place is None:
            return ()
        if place not in self._unmet:
            self._unmet[place] = tuple(n for n in self._members[place] if n not in self._done)
        return self._unmet[place]

    def _explicit(self, task: Ordered) -> tuple[str, ...]:
        return _joined([self._needed(name) for name in task.depends])

    def _needed(self, name: str) -> tuple[str, ...]:
        task = self._tasks.get(name)
        if name in self._done or (task and task.is_optional):
            return ()
        return self._unfinished(name) if task and task.is_container else (name,)

    def _unfinished(self, container: str) -> tuple[str, ...]:
        if container not in self._leaves:
            names: dict[str, None] = {}
            seen, stack = {container}, [container]
            while stack:
                name = stack.pop()
                if name == container or self._tasks[name].is_container:
                    inner = [
                        task.id for task in self._children.get(name, ()) if task.id not in seen
                    ]
                    seen.update(inner)
                    stack.extend(reversed(inner))
                elif name not in self._done:
                    names[name] = None
            self._leaves[container] = tuple(names)
        return self._leaves[container]

    def _gate(self, container: str | None) -> tuple[str, ...]:
        """Give what the children of a container wait for because it, or one above it, does."""
        above: list[Ordered] = []
        while container is not None and container not in self._gates:
            self._gates[container] = ()
            task = self._tasks.get(container)
            if task is None:
                break
            above.append(task)
            container = task.parent
        outer = self._gates[container] if container is not None else ()
        for task in reversed(above):
            outer = self._gates[task.id] = _joined([self._explicit(task), outer])
        return outer


def _joined(parts: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Join without repeating; a part that stands alone is handed on as it is."""
    filled = [part for part in parts if part]
    if len(filled) < 2:  # noqa: PLR2004 - nothing to join
        return filled[0] if filled else ()
    return tuple(dict.fromkeys(name for part in filled for name in part))
