"""Where a logged step belongs: progress of an attempt, its close, or the project as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from agentjournal.errors import Fault
from agentjournal.execution.contract import REMEDY
from agentjournal.execution.projection.change import first
from agentjournal.execution.readiness import readiness
from agentjournal.execution.references import reference_faults
from agentjournal.execution.rules import described, refuse
from agentjournal.execution.task import load_facts
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.execution.step import Step
    from agentjournal.storage.database import Reader, Row

__all__ = ["Place", "Placed", "attempt_row", "check_step", "place_step", "revision_of"]

ATTEMPT = load_statements("agentjournal.execution", "sql/fold/attempt.sql")
PROJECT = load_statements("agentjournal.execution", "sql/fold/project.sql")

SHOWN = 10  # open dependencies that a refusal names
UNKNOWN = "its token belongs to no attempt of this project: kept apart, in no brief"

Place = Literal["step", "close", "open and close"]
Placed = tuple[Place, tuple[str, ...]]  # and what is to be said about it


def check_step(reader: Reader, step: Step) -> None:
    """Refuse a step that refers to what is not there, or is done before what it depends on.

    This holds for as long as the step is on its way into the queue: nothing that it can refer to is
    ever deleted. One with an unknown token is bound to nothing, hence not checked.

    Raises:
        InputError: with every fault.
    """
    row = attempt_row(reader, step.project_slug, step.attempt)
    if step.attempt is not None and row is None:
        return
    faults = list(reference_faults(reader, step))
    if row is not None:
        faults += _token_faults(row, step)
    if step.result == "success" and place_step(reader, step)[0] != "step":
        faults += _dependency_faults(reader, step)
    refuse("The step", faults, next=REMEDY)


def place_step(reader: Reader, step: Step) -> Placed:
    """Decide what a step is, by its token or by what its task has open."""
    row = attempt_row(reader, step.project_slug, step.attempt)
    if row is not None:
        return _by_token(row)
    return ("step", (UNKNOWN,)) if step.attempt is not None else _by_task(reader, step)


def revision_of(reader: Reader, slug: str, attempt: str | None) -> int:
    """Give the plan revision that a step was written under: its attempt's, or the latest."""
    row = attempt_row(reader, slug, attempt) or first(reader, PROJECT["project"], slug=slug)
    return int(row["revision"] or 0) if row else 0


def attempt_row(reader: Reader, slug: str, attempt: str | None) -> Row | None:
    """Give the attempt whose token has this digest, where the project has one."""
    if attempt is None:
        return None
    return first(reader, ATTEMPT["attempt_by_token"], slug=slug, token_sha256=attempt)


def _by_token(row: Row) -> Placed:
    place: Place = "close" if row["holder"] == "hand" else "step"
    number = int(row["number"] or 0)
    if row["closed_seq"] is not None:
        return place, (f"attempt {number} was closed before: kept as late",)
    if place == "step":
        return place, (f"attempt {number} is closed by its {row['holder']!s}: kept as progress",)
    return place, ()


def _by_task(reader: Reader, step: Step) -> Placed:
    if step.plan_ref is None:
        return "step", ()
    task = first(reader, ATTEMPT["task"], slug=step.project_slug, task=step.plan_ref)
    number = int(task["open_attempt"] or 0) if task else 0
    if not number:
        return "open and close", ()
    note = f"{step.plan_ref} has attempt {number} open: kept as a note; its token would close it"
    return "step", (note,)


def _token_faults(row: Row, step: Step) -> Iterator[Fault]:
    if row["task"] != step.plan_ref:
        yield Fault(
            field="plan_ref",
            rule="is the task of the attempt that the token belongs to",
            got=described(step.plan_ref),
            remedy=f"Name {row['task']!s}, or leave the token out.",
        )


def _dependency_faults(reader: Reader, step: Step) -> Iterator[Fault]:
    """Refuse by hand what a worker's end may say: done before what it needs is done."""
    plan = readiness(load_facts(reader, step.project_slug))
    task = step.plan_ref or ""
    unmet = [name for name in plan.needs.get(task, ()) if name not in plan.done]
    if task in plan.waiting:
        rest = f" and {len(unmet) - SHOWN} more" if len(unmet) > SHOWN else ""
        yield Fault(
            field="result",
            rule="is success only where all that the task depends on is done",
            got=f"open: {', '.join(unmet[:SHOWN])}{rest}",
            remedy="Log it as partial; a person may say `agentjournal resolve --done --why`.",
        )
