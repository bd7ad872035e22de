"""Registering a project and its plan."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, cast

from agentjournal.errors import ConflictError
from agentjournal.execution.certain import certain
from agentjournal.execution.fields import ENVELOPE
from agentjournal.execution.opening import Opening
from agentjournal.execution.projection.change import first, stream_of
from agentjournal.execution.rules import Shape, Text, refuse
from agentjournal.log.event import draft
from agentjournal.storage.statement import load_statements
from agentjournal.text.redact import redact, redact_value
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentjournal.execution.plan.model import Plan, PlannedTask
    from agentjournal.execution.projection.change import Body
    from agentjournal.log.event import Draft
    from agentjournal.log.log import Log

__all__ = ["PlanAdded", "add_plan", "register_project"]

SQL = load_statements("agentjournal.execution", "sql/fold/project.sql")
_PROJECT = Shape(
    {
        "slug": ENVELOPE["project_slug"],
        "repository": Text(cap=200, lines="one", remedy="Shorten it."),
        "actor": ENVELOPE["actor"],
    },
    frozenset({"slug", "actor"}),
)
TITLE_BYTES = 300
IMPORT = "import"  # the actor and the end of what was ticked before


@dataclass(frozen=True, kw_only=True)
class PlanAdded:
    """What was registered: how many tasks, how many ticked before, what was taken out of texts."""

    slug: str
    revision: int
    tasks: int
    imported: int
    is_repeat: bool = False
    redacted: tuple[str, ...] = ()


def register_project(  # noqa: PLR0913 - the columns
    log: Log, *, slug: str, title: str, repository: str, event_id: str, actor: str, at: str
) -> bool:
    """Register a project; say whether it is new. `repository` is the id in the project file.

    Raises:
        InputError: a value breaks its rule.
        ConflictError: another project has the slug.
    """
    body = _project(slug, title, repository, actor)
    drafted = draft(
        stream=stream_of(slug), id=event_id, kind="project", actor=actor, at=at, payload=body
    )
    with log.database.transaction() as tx:
        log.lock_stream(tx, drafted.stream)
        if log.find(tx, event_id) is None and first(tx, SQL["project"], slug=slug):
            raise ConflictError(
                f"The project {slug!r} exists already.", next="Choose another slug."
            )
        is_new = log.find(tx, event_id) is None
        log.append(tx, [drafted])
    return is_new


def add_plan(  # noqa: PLR0913 - the columns
    log: Log,
    slug: str,
    plan: Plan,
    *,
    ids: Callable[[], str],
    actor: str,
    at: str,
    repository: str = "",
) -> PlanAdded:
    """Register the first revision of a project's plan; the project is made where it is new.

    `repository` is the id in the project file, where there is one.

    Tasks that are ticked already get a success by the actor `import`. With the same `ids` the call
    may be repeated after any error.

    Raises:
        InputError: a value breaks its rule.
        ConflictError: the project has a plan already.
    """
    stream, first_body = stream_of(slug), _project(slug, plan.title, repository, actor)
    event = partial(draft, stream=stream, actor=actor, at=at)
    project = event(id=ids(), kind="project", payload=first_body)
    body, redacted = _plan(plan)
    events = [event(id=ids(), kind="plan", payload=body)]
    ticked = [task.id for task in plan.tasks if task.is_done and not task.is_container]
    for task in ticked:
        events += _imported(slug, task, ids, at)
    added = PlanAdded(
        slug=slug, revision=1, tasks=len(plan.tasks), imported=len(ticked), redacted=redacted
    )

    def add() -> PlanAdded:
        with log.database.transaction() as tx:
            log.lock_stream(tx, stream)
            if log.find(tx, events[0].id):
                return replace(added, is_repeat=True)
            known = first(tx, SQL["project"], slug=slug)
            if known and known["revision"]:
                raise ConflictError(
                    f"The project {slug!r} has a plan already, at revision {known['revision']!s}.",
                    next="Choose another slug for another plan.",
                )
            log.append(tx, events if known else [project, *events])
        return added

    return certain(add)


def _project(slug: str, title: str, repository: str, actor: str) -> dict[str, object]:
    given = {"slug": slug, "repository": repository, "actor": actor}
    refuse("The project", list(_PROJECT.faults("", given)))
    shown = one_line(redact(title).text, TITLE_BYTES)
    return {"v": 1, "slug": slug, "title": shown, "repository": repository}


def _plan(plan: Plan) -> tuple[dict[str, object], tuple[str, ...]]:
    texts = {"title": plan.title, "goal": plan.goal, "text": plan.text}
    clean, kinds = redact_value({**texts, "tasks": [_task(task) for task in plan.tasks]})
    head = {"v": 1, "number": 1, "sha256": plan.sha256, "path": plan.path}
    return {**head, **cast("Body", clean)}, kinds


def _task(task: PlannedTask) -> dict[str, object]:
    """Write a task as the payload keeps it: what is absent has no key."""
    values = {
        "id": task.id,
        "title": task.title,
        "text": task.text,
        "section": task.section,
        "section_place": task.section_place,
        "rank": task.rank,
        "place": task.place,
        "depends": list(task.depends),
        "explicit": task.is_explicit and not task.depends,
        "parent": task.parent,
        "files": list(task.files),
        "services": list(task.services),
        "verify": task.verify,
        "optional": task.is_optional,
        "container": task.is_container,
        "parallel": task.is_parallel,
        "done": task.is_done,
    }
    return {
        name: value
        for name, value in values.items()
        if value is not None and value is not False and value != []
    }


def _imported(slug: str, task: str, ids: Callable[[], str], at: str) -> list[Draft]:
    """Give the attempt and the close of a task that was ticked before: no line in the record."""
    opening = Opening(id=ids(), slug=slug, task=task, actor=IMPORT, at=at, revision=1)
    closing = {
        "v": 1,
        "plan_ref": task,
        "revision": 1,
        "action": "Was ticked when the plan was registered",
        "result": "success",
        "ended_at": at,
        "end": IMPORT,
    }
    close = draft(
        stream=stream_of(slug), id=ids(), kind="close", actor=IMPORT, at=at, payload=closing
    )
    return [opening.draft(), close]
