"""Projects, their plans and the tasks of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.execution.projection.change import first
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.execution.projection.change import Body, Change
    from agentjournal.storage.database import Transaction, Value

__all__ = ["DISCOVERED_PLACE", "apply_discovered", "apply_plan", "apply_project"]

PROJECT = load_statements("agentjournal.execution", "sql/fold/project.sql")
PLAN = load_statements("agentjournal.execution", "sql/fold/plan.sql")
STEP = load_statements("agentjournal.execution", "sql/fold/step.sql")

DISCOVERED_PLACE = 1_000_000  # discovered work comes after any plan


def apply_project(tx: Transaction, change: Change) -> None:
    """Register the project."""
    tx.run(
        PROJECT["put_project"],
        slug=change.slug,
        title=change.body.get("title", ""),
        repository=change.body.get("repository", ""),
    )


def apply_plan(tx: Transaction, change: Change) -> None:
    """Keep the plan's text and give each of its tasks a row."""
    body, revision = change.body, change.body["number"]
    texts = {name: body.get(name, "") for name in ("sha256", "path", "title", "goal")}
    tx.run(
        PLAN["insert_plan"],
        **texts,
        slug=change.slug,
        revision=revision,
        seq=change.event.seq,
        id=change.event.id,
        body=body.get("text", ""),
    )
    tasks = body.get("tasks", ())
    tx.many(PLAN["insert_task"], (_task(change.slug, revision, task) for task in tasks))
    tx.many(PLAN["insert_dependency"], _dependencies(change.slug, tasks))
    tx.many(STEP["put_touch"], _planned(change, tasks))
    tx.run(PROJECT["set_revision"], slug=change.slug, revision=revision)


def apply_discovered(tx: Transaction, change: Change) -> None:
    """Give work that was found on the way its number and row."""
    taken = first(tx, PROJECT["count_discovered"], slug=change.slug)
    if taken is None:
        return
    number = int(taken["discovered"] or 0)
    project = first(tx, PROJECT["project"], slug=change.slug) or {}
    found = {
        "id": f"U-{number:03d}",
        "place": DISCOVERED_PLACE + number,
        "title": change.body.get("title", ""),
        "text": change.body.get("text", ""),
        "section": "Discovered",
        "section_place": DISCOVERED_PLACE,
        "rank": number,
    }
    row = _task(change.slug, int(project.get("revision") or 0), found)
    row |= {"is_explicit": 1, "is_discovered": 1, "discovery": change.event.id}
    tx.run(PLAN["insert_task"], **row)


def _task(slug: str, revision: int, task: Body) -> dict[str, Value]:
    return {
        "slug": slug,
        "task": task["id"],
        "place": task["place"],
        "title": task.get("title", ""),
        "body": task.get("text", ""),
        "section": task.get("section", ""),
        "section_place": task["section_place"],
        "rank": task["rank"],
        "parent": task.get("parent"),
        "is_container": int(bool(task.get("container"))),
        "is_optional": int(bool(task.get("optional"))),
        "is_explicit": int(bool(task.get("depends") or task.get("explicit"))),
        "is_discovered": 0,
        "discovery": None,
        "verify": task.get("verify"),
        "revision": revision,
    }


def _dependencies(slug: str, tasks: list[Body]) -> Iterator[dict[str, Value]]:
    for task in tasks:
        for needs in task.get("depends", ()):
            yield {"slug": slug, "task": task["id"], "needs": needs}


def _planned(change: Change, tasks: list[Body]) -> Iterator[dict[str, Value]]:
    for task in tasks:
        for kind, names in (("file", task.get("files")), ("service", task.get("services"))):
            for name in names or ():
                yield {
                    "slug": change.slug,
                    "kind": kind,
                    "name": name,
                    "task": task["id"],
                    "origin": "planned",
                    "seq": change.event.seq,
                }
