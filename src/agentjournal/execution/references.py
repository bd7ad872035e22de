"""What a step refers to has to exist: project, task, parent, the items that it supersedes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.errors import Fault
from agentjournal.execution.handoff import RULED_OUT
from agentjournal.execution.projection.change import first
from agentjournal.execution.rules import described
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agentjournal.execution.step import Step
    from agentjournal.storage.database import Reader

__all__ = [
    "MAX_DEPTH",
    "project_faults",
    "reference_faults",
    "superseded_faults",
    "task_faults",
]

ATTEMPT = load_statements("agentjournal.execution", "sql/fold/attempt.sql")
CLAIM = load_statements("agentjournal.execution", "sql/fold/claim.sql")
PROJECT = load_statements("agentjournal.execution", "sql/fold/project.sql")
SQL = load_statements("agentjournal.execution", "sql/write/reference.sql")

MAX_DEPTH = 8  # steps from a root to its deepest child, both counted


def reference_faults(reader: Reader, step: Step) -> Iterator[Fault]:
    """Give a fault for each reference of a step that leads nowhere or to another project."""
    slug = step.project_slug
    if step.plan_ref is not None:
        yield from task_faults(reader, slug, step.plan_ref, field="plan_ref")
    if step.parent_id is not None:
        yield from _parent_faults(reader, slug, step.parent_id)
    yield from superseded_faults(reader, slug, step.flat())


def superseded_faults(reader: Reader, slug: str, flat: Mapping[str, object]) -> Iterator[Fault]:
    """Give a fault for each item of a flat form, valid or not, that supersedes what is not there."""
    for field, item in _superseded(flat.get("ruled_out")):
        row = first(reader, CLAIM["ruled_out"], id=item)
        if row is None or row["slug"] != slug:
            yield Fault(
                field=field,
                rule="is the id of a ruled-out item of this project",
                got=described(item),
                remedy="Copy it from `agentjournal context`, or leave it out.",
            )


def _superseded(items: object) -> Iterator[tuple[str, str]]:
    rule = RULED_OUT.fields["supersedes"]
    for place, item in enumerate(items if isinstance(items, list | tuple) else ()):
        named = item.get("supersedes") if isinstance(item, dict) else None
        field = f"ruled_out[{place}].supersedes"
        if isinstance(named, str) and not any(rule.faults(field, named)):
            yield field, named


def project_faults(reader: Reader, slug: str) -> Iterator[Fault]:
    """Give a fault where the project does not exist."""
    if first(reader, PROJECT["project"], slug=slug) is None:
        yield Fault(
            field="project_slug",
            rule="is a registered project",
            got=described(slug),
            remedy=f"agentjournal plan add {slug} FILE registers it.",
        )


def task_faults(reader: Reader, slug: str, task: str, *, field: str) -> Iterator[Fault]:
    """Give a fault where there is no such task, or where it is only a container of others."""
    row = first(reader, ATTEMPT["task"], slug=slug, task=task)
    if row is None:
        yield Fault(
            field=field,
            rule="is a task of the plan, or of discovered work",
            got=described(task),
            remedy=f"agentjournal plan show {slug} lists them; leave it out for the project.",
        )
    elif row["is_container"]:
        rows = reader.rows(SQL["open_children"], slug=slug, task=task)
        children = ", ".join(str(row["task"]) for row in rows) or "none"
        yield Fault(
            field=field,
            rule="is not a container of other tasks",
            got=described(task),
            remedy=f"Name one of its open children: {children}.",
        )


def _parent_faults(reader: Reader, slug: str, parent: str) -> Iterator[Fault]:
    row, depth = first(reader, SQL["step_parent"], id=parent), 1
    if row is None or row["slug"] != slug:
        yield Fault(
            field="parent_id",
            rule="is a step of the same project",
            got=described(parent),
            remedy="Log the parent first, or leave it out.",
        )
        return
    while row is not None and row["parent"] is not None and depth < MAX_DEPTH:
        row, depth = first(reader, SQL["step_parent"], id=row["parent"]), depth + 1
    if depth >= MAX_DEPTH:
        yield Fault(
            field="parent_id",
            rule=f"hangs in a tree at most {MAX_DEPTH} steps deep",
            got=f"a parent at depth {MAX_DEPTH}",
            remedy="Hang it below an earlier step.",
        )
