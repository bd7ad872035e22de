"""Reads where a project stands: every task's facts, and who said what of those that are stuck."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import islice
from typing import TYPE_CHECKING

from agentjournal.execution.citation import cited, short_id
from agentjournal.execution.dispatch import dispatch_order
from agentjournal.execution.drift import is_drifted
from agentjournal.execution.state.model import Flight, ProjectState, Trouble
from agentjournal.execution.status import WORDS, statuses
from agentjournal.execution.task import load_facts, load_leases, load_project
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from agentjournal.execution.observed import Observed
    from agentjournal.execution.policy import Limits
    from agentjournal.execution.status import Status, Word
    from agentjournal.execution.task import TaskFacts
    from agentjournal.storage.database import Reader

__all__ = ["load_state"]

SQL = load_statements("agentjournal.execution", "sql/read_state.sql")


def load_state(
    reader: Reader, slug: str, *, limits: Limits, observed: Observed, lines: int
) -> ProjectState:
    """Read the state; of blocked and failed tasks and open attempts at most so many lines each.

    Raises:
        NotFoundError: there is no such project.
    """
    project = load_project(reader, slug)
    now = observed.now or reader.now()
    tasks = load_facts(reader, slug)
    found = statuses(tasks, load_leases(reader, slug), limits, now)
    order = dispatch_order(tasks, found)
    plain = [task for task in tasks if not (task.is_container or task.is_optional)]
    optional = [found[task.id].word for task in tasks if task.is_optional and not task.is_container]
    titles = {task.id: task.title for task in tasks}
    return ProjectState(
        project=slug,
        title=str(project["title"]),
        revision=int(project["revision"] or 0),
        is_drifted=is_drifted(observed, project["sha256"]),
        ids=_by_word((task.id for task in plain if not task.is_discovered), found),
        blocked=tuple(islice(_troubles(reader, plain, found, "blocked"), lines)),
        failed=tuple(islice(_troubles(reader, plain, found, "failed"), lines)),
        flights=_flights(reader, slug, now, lines),
        next=tuple(order),
        next_title=titles[order[0]] if order else "",
        discovered=_by_word((task.id for task in plain if task.is_discovered), found),
        optional=(optional.count("done"), len(optional)),
        containers=tuple((t.id, found[t.id].detail) for t in tasks if t.is_container),
        quarantined=int(project["quarantined"] or 0),
        gates=_gates(reader, slug),
    )


def _by_word(ids: Iterable[str], found: Mapping[str, Status]) -> dict[Word, tuple[str, ...]]:
    words: defaultdict[Word, list[str]] = defaultdict(list)
    for id_ in ids:
        words[found[id_].word].append(id_)
    return {word: tuple(words[word]) for word in WORDS if words[word]}


def _troubles(
    reader: Reader, tasks: Sequence[TaskFacts], found: Mapping[str, Status], word: Word
) -> Iterator[Trouble]:
    """Give the tasks with this word in order; those with nothing of their own to say together."""
    together: defaultdict[str, list[TaskFacts]] = defaultdict(list)
    for task in tasks:
        if found[task.id].word == word:
            together[task.id if task.why else found[task.id].detail].append(task)
    for group in together.values():
        first = group[0]
        yield Trouble(
            tasks=tuple(task.id for task in group),
            detail=found[first.id].detail,
            why=first.why or "",
            citation=_citation(reader, first),
        )


def _citation(reader: Reader, task: TaskFacts) -> str:
    if task.last_step is None or not task.why:
        return ""
    for row in reader.rows(SQL["closing_step"], id=task.last_step):
        return cited(str(row["actor"]), short_id(task.last_step), int(row["revision"] or 0))
    return ""


def _flights(reader: Reader, slug: str, now: str, limit: int) -> tuple[Flight, ...]:
    return tuple(
        Flight(
            task=str(row["task"]),
            attempt=int(row["number"] or 0),
            actor=str(row["actor"]),
            until=str(row["until"] or ""),
            is_alive=str(row["until"] or "") > now,
        )
        for row in reader.rows(SQL["open_attempts"], slug=slug, limit=limit)
    )


def _gates(reader: Reader, slug: str) -> dict[str, int]:
    counts = Counter[str]()
    for row in reader.rows(SQL["gate_counts"], slug=slug):
        counts[str(row["decision"])] += int(row["count"] or 0)
        if row["outcome"] == "leaked":
            counts["leaked"] += int(row["count"] or 0)
    return dict(counts)
