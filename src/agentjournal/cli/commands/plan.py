"""`agentjournal plan`: check, number, register and show plans."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agentjournal.cli.lazy import Entry, LazyGroup
from agentjournal.cli.options import SLUG, as_json, complete_slug_or_task, project_and_task
from agentjournal.cli.output import Output
from agentjournal.cli.session import with_reading_session, with_session
from agentjournal.cli.told import with_redactions
from agentjournal.compose.plan_file import load_plan, load_plan_bytes, replace_file
from agentjournal.errors import InputError
from agentjournal.execution.drift import drift_lines, is_drifted
from agentjournal.execution.names import project_slugs
from agentjournal.execution.plan.add_ids import with_ids
from agentjournal.execution.project import add_plan
from agentjournal.execution.shown import shown_plan

if TYPE_CHECKING:
    from agentjournal.cli.session import Session
    from agentjournal.execution.plan.model import PlannedTask, PlanReport

__all__ = ["plan"]

_HERE = "agentjournal.cli.commands.plan"
FILE = click.argument("file", type=click.Path(path_type=Path))

ENTRIES = {
    "check": Entry(f"{_HERE}:check", "Say what a plan holds and what is wrong with it."),
    "ids": Entry(f"{_HERE}:ids", "Print a plan with ids where they are missing."),
    "add": Entry(f"{_HERE}:add", "Register a plan; it is kept as it is now."),
    "show": Entry(f"{_HERE}:show", "Show a registered plan, or one task of it."),
}


@click.command(cls=LazyGroup, entries=ENTRIES)
def plan() -> None:
    """Check, number, register and show plans.

    A plan is Markdown: headings with ids (`### T-042 Title`), a spec-kit or Kiro checklist, a table with
    an id column, or a folder with one file per task.
    """


@click.command(epilog="\b\nExample:\n  agentjournal plan check specs/008/tasks.md")
@FILE
@as_json
def check(file: Path, *, is_json: bool) -> int:
    """Say which tasks a plan holds, and everything that is wrong with it; exit 1 where something is."""
    report = load_plan(file)
    Output(is_json).result(_checked(file, report), _report_data(report))
    return 0 if report.is_valid else 1


@click.command(epilog="\b\nExample:\n  agentjournal plan ids notes/plan.md --write")
@FILE
@click.option("--write", is_flag=True, help="Change the file instead of printing.")
def ids(file: Path, *, write: bool) -> None:
    """Print a plan with ids added where they are missing; every other byte stays as it is."""
    data = load_plan_bytes(file)
    text = with_ids(data)
    if write and text.encode() == data:
        Output().note(f"No id is missing in {file}: nothing was written.")
    elif write:
        replace_file(file, text)
        Output().note(f"Wrote {file}.")
    else:
        click.echo(text, nl=False)


@click.command(epilog="\b\nExample:\n  agentjournal plan add shop specs/shop/tasks.md")
@SLUG
@FILE
@with_session
def add(session: Session, slug: str, file: Path) -> None:
    """Register a plan under a project's slug; the project is made where it is new."""
    services, world = session.services, session.services.world
    root = services.root_of(slug)
    report = load_plan(file, root)
    if report.plan is None or not report.is_valid:
        raise InputError(
            f"{file}: {_counted(report)}. Nothing was registered.",
            faults=report.faults,
            next=f"Mend these, or see `agentjournal plan ids {file}`.",
        )
    added = add_plan(
        services.log,
        slug,
        report.plan,
        ids=world.new_id,
        actor=services.settings.actor,
        at=world.now(),
        repository=(services.settings.project_id or "") if root else "",
    )
    done = f", {added.imported} of them already ticked" if added.imported else ""
    told = (
        f"Registered {slug} revision {added.revision}: {added.tasks} tasks{done}.\n"
        f"Next: agentjournal state {slug}"
    )
    session.output.result(with_redactions(told, added.redacted), asdict(added))


@click.command(
    epilog="\b\nExamples:\n  agentjournal plan show shop\n  agentjournal plan show shop T-042"
)
@click.argument("names", nargs=-1, metavar="[SLUG] [TASK]", shell_complete=complete_slug_or_task)
@with_reading_session
def show(session: Session, names: tuple[str, ...]) -> None:
    """Show the registered plan, as it was registered, or the text of one task."""
    slug, task = _asked(session, names)
    text, data = shown_plan(session.services.log, slug, task)
    session.output.result(text, data)
    if task is None:
        observed = session.services.observed(slug)
        has_drifted = is_drifted(observed, str(data["sha256"]))
        for line in drift_lines(str(data["revision"]), is_drifted=has_drifted):
            session.output.note(line)


def _asked(session: Session, names: tuple[str, ...]) -> tuple[str, str | None]:
    """Read a project, a task or both; one name alone is a task where the folder has a project."""
    of_folder = session.services.settings.project_slug
    match names:
        case ():
            return session.slug(None), None
        case (name,) if of_folder is None or name in project_slugs(session.services.log):
            return name, None
        case _:
            return project_and_task(names, of_folder)


def _checked(file: Path, report: PlanReport) -> str:
    lines = [f"{file}: {_counted(report)}"]
    lines += [f"  - {fault}" for fault in report.faults]
    lines += [f"  note: {note}" for note in report.notes]
    return "\n".join(lines)


def _counted(report: PlanReport) -> str:
    tasks = report.plan.tasks if report.plan else ()
    words = {
        "containers": sum(task.is_container for task in tasks),
        "optional": sum(task.is_optional for task in tasks),
        "ticked": sum(task.is_done for task in tasks if not task.is_container),
    }
    besides = "".join(f", {count} {word}" for word, count in words.items() if count)
    faults = len(report.faults)
    wrong = f"; {faults} fault{'s' * (faults != 1)}" if faults else "; no faults"
    return f"{len(tasks)} task{'s' * (len(tasks) != 1)}{besides}{wrong}"


def _report_data(report: PlanReport) -> dict[str, object]:
    found = report.plan
    return {
        "title": found.title if found else None,
        "goal": found.goal if found else None,
        "sha256": found.sha256 if found else None,
        "tasks": [_task_data(task) for task in (found.tasks if found else ())],
        "faults": [dict(vars(fault)) for fault in report.faults],
        "notes": list(report.notes),
    }


def _task_data(task: PlannedTask) -> dict[str, object]:
    return {
        "id": task.id,
        "title": task.title,
        "section": task.section,
        "rank": task.rank,
        "depends": list(task.depends),
        "parent": task.parent,
        "files": list(task.files),
        "services": list(task.services),
        "verify": task.verify,
        "done": task.is_done,
        "optional": task.is_optional,
        "container": task.is_container,
        "line": task.line,
    }
