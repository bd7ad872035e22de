"""Which tasks count as done, and which others wait for one that does not."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.execution.plan.order import waits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from agentjournal.execution.task import TaskFacts

__all__ = ["Readiness", "is_skipped", "readiness"]


@dataclass(frozen=True, kw_only=True)
class Readiness:
    """What each task needs (a container: what it holds), what of it is done, and who waits.

    `skipped_needs` names, for a task that a skipped one holds, the first of these: it waits until a
    person says `retry` of the task itself.
    """

    needs: Mapping[str, tuple[str, ...]]
    done: AbstractSet[str]
    waiting: AbstractSet[str]
    skipped_needs: Mapping[str, str]


def readiness(tasks: Sequence[TaskFacts]) -> Readiness:
    """Work out from the facts who may start; linear in tasks and dependencies.

    A success counts as done once all that it needs is done; a person's word and a tick in the plan
    count at once.
    """
    plan = _Plan.of(tasks)
    done = plan.done()
    held = {task.id for task in tasks if plan.is_held(task)}
    unmet = {
        key
        for key, group in plan.groups.items()
        if any(name not in done and name not in plan.skipped for name in group)
    }
    return Readiness(
        needs=plan.needs,
        done=done,
        waiting={name for name, group in plan.needs.items() if id(group) in unmet or name in held},
        skipped_needs={name: plan.first_skipped[id(plan.needs[name])] for name in held},
    )


def is_skipped(task: TaskFacts) -> bool:
    """Say whether the task was skipped, by its last close or by a person."""
    return task.resolution == "skip" or (
        task.resolution is None and task.open_attempt is None and task.last_result == "skipped"
    )


@dataclass(frozen=True, kw_only=True)
class _Plan:
    """What tasks need. Those that need the same share one tuple: each group is looked through once."""

    tasks: Sequence[TaskFacts]  # without containers
    needs: Mapping[str, tuple[str, ...]]
    groups: Mapping[int, tuple[str, ...]]
    skipped: Mapping[str, int]  # tasks, and the seq at which each was
    first_skipped: Mapping[int, str]  # of the groups that hold a skipped task: the first of these
    last_skip: Mapping[int, int]  # of the same groups: the seq of the newest skip

    @classmethod
    def of(cls, tasks: Sequence[TaskFacts]) -> _Plan:
        needs = waits(tasks, frozenset())
        groups = {id(group): group for group in needs.values()}
        skipped = {task.id: task.last_seq for task in tasks if is_skipped(task)}
        found = {key: [n for n in group if n in skipped] for key, group in groups.items()}
        return cls(
            tasks=[task for task in tasks if not task.is_container],
            needs=needs,
            groups=groups,
            skipped=skipped,
            first_skipped={key: names[0] for key, names in found.items() if names},
            last_skip={
                key: max(skipped[name] for name in names) for key, names in found.items() if names
            },
        )

    def is_held(self, task: TaskFacts) -> bool:
        """Say whether a skipped task holds this one, and no person said `retry` of it since."""
        last_skip = self.last_skip.get(id(self.needs[task.id]))
        return last_skip is not None and task.retried_seq <= last_skip

    def done(self) -> set[str]:
        """Find the least set: settled tasks, and successes whose needs are all in it or skipped."""
        open_needs = {
            key: sum(name not in self.skipped for name in group)
            for key, group in self.groups.items()
        }
        successes: defaultdict[int, list[str]] = defaultdict(list)  # of a group: who needs it
        for task in self.tasks:
            if _is_success(task) and not self.is_held(task):
                successes[id(self.needs[task.id])].append(task.id)
        holding: defaultdict[str, list[int]] = defaultdict(list)  # task: the groups that it is in
        for key in successes:
            for name in self.groups[key]:
                holding[name].append(key)
        queue = [task.id for task in self.tasks if _is_settled(task)]
        queue += [name for key, names in successes.items() if not open_needs[key] for name in names]
        done: set[str] = set()
        while queue:
            name = queue.pop()
            if name in done:
                continue
            done.add(name)
            for key in holding[name]:
                open_needs[key] -= 1
                if open_needs[key] == 0:
                    queue += successes[key]
        return done


def _is_settled(task: TaskFacts) -> bool:
    if task.resolution is not None:
        return task.resolution == "done"
    return _is_success(task) and task.last_end == "import"


def _is_success(task: TaskFacts) -> bool:
    is_free = task.resolution is None and task.open_attempt is None
    return is_free and task.last_result == "success"
