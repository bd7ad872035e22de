"""Which tasks count as done, and which others wait for one that does not."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.execution.plan.order import waits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from agentjournal.execution.task import TaskFacts

__all__ = ["Readiness", "is_skipped", "readiness"]


@dataclass(frozen=True, kw_only=True)
class Readiness:
    """What each task needs (a container: what it holds), what of it is done, and who waits.

    `skipped_needs` names, for a task that needs a skipped one, the first of these.
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
    needs = waits(tasks, frozenset())
    done = _done(tasks, needs)
    skipped = {task.id for task in tasks if is_skipped(task)}
    # Tasks that need the same share one tuple: each is looked through once.
    groups = {id(group): group for group in needs.values()}
    unmet = {key for key, group in groups.items() if any(name not in done for name in group)}
    missed = {key: next((n for n in group if n in skipped), "") for key, group in groups.items()}
    return Readiness(
        needs=needs,
        done=done,
        waiting={name for name, group in needs.items() if id(group) in unmet},
        skipped_needs={name: missed[id(group)] for name, group in needs.items()},
    )


def is_skipped(task: TaskFacts) -> bool:
    """Say whether the task was skipped, by its last close or by a person."""
    return task.resolution == "skip" or (
        task.resolution is None and task.open_attempt is None and task.last_result == "skipped"
    )


def _done(tasks: Iterable[TaskFacts], needs: Mapping[str, tuple[str, ...]]) -> set[str]:
    """Find the least set: settled tasks, and successes whose needs are all in it."""
    by_id = {task.id: task for task in tasks if not task.is_container}
    open_needs = {id(group): len(group) for group in needs.values()}
    needing: defaultdict[int, list[str]] = defaultdict(list)  # group: the tasks that need it
    holding: defaultdict[str, list[int]] = defaultdict(list)  # task: the groups that it is in
    for name, group in needs.items():
        if not needing[id(group)]:
            for need in group:
                holding[need].append(id(group))
        needing[id(group)].append(name)
    queue = [task.id for task in by_id.values() if _is_settled(task)]
    queue += [task.id for task in by_id.values() if not needs[task.id] and _is_success(task)]
    done: set[str] = set()
    while queue:
        name = queue.pop()
        if name in done:
            continue
        done.add(name)
        for group_id in holding[name]:
            open_needs[group_id] -= 1
            if open_needs[group_id] == 0:
                waiting = (by_id[other] for other in needing[group_id] if other in by_id)
                queue += [task.id for task in waiting if _is_success(task)]
    return done


def _is_settled(task: TaskFacts) -> bool:
    if task.resolution is not None:
        return task.resolution == "done"
    return _is_success(task) and task.last_end == "import"


def _is_success(task: TaskFacts) -> bool:
    is_free = task.resolution is None and task.open_attempt is None
    return is_free and task.last_result == "success"
