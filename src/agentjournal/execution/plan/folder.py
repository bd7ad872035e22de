"""Read a folder that holds one file for each task (`T-042-login.md`)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from agentjournal import frozen
from agentjournal.execution.plan.assemble import assemble
from agentjournal.execution.plan.drift import folder_sha256
from agentjournal.execution.plan.ids import read_lead
from agentjournal.execution.plan.items import Heading, Item
from agentjournal.execution.plan.model import Plan, PlanReport
from agentjournal.execution.plan.prose import goal_of, title_of
from agentjournal.execution.plan.read import report_of
from agentjournal.execution.plan.scan import SECTION, scan
from agentjournal.execution.plan.source import (
    Line,
    Source,
    decode,
    read_source,
    too_long,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agentjournal.errors import Fault

__all__ = ["read_plan_folder"]

_FILE_ID = re.compile(
    r"[A-Za-z]{1,10}[0-9]{0,3}[-_]?[0-9]+(?:\.[0-9]+)*(?:-[A-Z]{1,4}[0-9]+)?[a-z]?(?![A-Za-z0-9])"
)
_FRONT_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_ABOUT = frozenset(("readme", "index", "plan", "overview", "_index"))
_KEYS = {
    "depends": "Depends on",
    "depends_on": "Depends on",
    "depends-on": "Depends on",
    "dependencies": "Depends on",
    "blocked_by": "Depends on",
    "files": "Files",
    "services": "Services",
    "status": "Status",
    "verify": "Verify",
}


def read_plan_folder(files: Mapping[str, bytes], path: str) -> PlanReport:
    """Read the files of a folder, by their names below it, as one plan; never raises.

    A task's id is its front matter's `id`, else what its file's name begins with; tasks stand in
    the order of their names, numbers by value; a subfolder is a section. Title and goal come from
    `README.md`, `index.md`, `plan.md` or `overview.md`. Other files are left out, with a note.
    """
    names = sorted((name for name in files if name.endswith(".md")), key=_natural)
    data = [files[name] for name in names]
    if excess := too_long(sum(map(len, data)), sum(each.count(b"\n") + 1 for each in data)):
        return PlanReport(None, (excess,))
    faults: list[Fault] = []
    notes: list[str] = []
    items: list[Item] = []
    about, texts = read_source(""), []
    for name in names:
        text, unreadable = decode(files[name])
        source = read_source(text)
        texts.append(f"=== {name}\n{text}")
        faults += [_in_file(name, fault) for fault in (*unreadable, *source.faults)]
        if found := _items(name, source):
            items += found
        elif _stem(name).casefold() in _ABOUT:
            about = source
        else:
            notes.append(f"{name}: its name begins with no task id; left out")
    drafts, twice = assemble(items)
    headings = scan(about.lines).headings
    plan = Plan(
        title=title_of(about, headings, path),
        goal=goal_of(about, headings),
        text="\n".join(texts),
        path=path,
        sha256=folder_sha256(files),
        tasks=(),
    )
    report = report_of(drafts, [*faults, *twice], plan)
    return replace(report, notes=(*notes, *report.notes))


def _natural(name: str) -> list[str | int]:
    """Sort numbers by their value: `T-9` before `T-10`."""
    parts = re.split(r"([0-9]{1,18})", name)
    return [int(part) if place % 2 else part for place, part in enumerate(parts)]


def _stem(name: str) -> str:
    return name.rpartition("/")[2].removesuffix(".md")


def _in_file(name: str, fault: Fault) -> Fault:
    return frozen.replace(fault, field=f"{name}, {fault.field}")


def _items(name: str, source: Source) -> Sequence[Item]:
    """Give the file's task, and what its front matter says of it as a row; nothing without id."""
    given = str(source.front.get("id") or "")
    found = _FILE_ID.match(_stem(name))
    task_id = given if _FRONT_ID.fullmatch(given) else found[0] if found else ""
    if not task_id:
        return ()
    folder = name.rpartition("/")[0]
    heading = next((h for h in scan(source.lines).headings if h.level == 1), None)
    section = Heading(line=0, level=SECTION, text=folder) if folder else None
    task = Item(
        form="heading",
        id=task_id,
        title=_title(source, heading, _stem(name)[found.end() if found else 0 :]),
        line=1,
        depth=1,
        section=section,
        is_optional=source.front.get("optional") == "true",
        is_parallel=source.front.get("parallel") == "true",
        own=[line for line in source.lines if heading is None or line.number != heading.line],
    )
    row = replace(task, form="row", title="", own=list(_details(source.front)))
    return task, row


def _title(source: Source, heading: Heading | None, rest: str) -> str:
    """Give the front matter's title, else the heading without its id, else the file's name."""
    named = source.front.get("title")
    if isinstance(named, str) and named.strip():
        return " ".join(named.split())
    if heading is None or not heading.text:
        return " ".join(re.split(r"[-_\s]+", rest)).strip()
    lead = read_lead(heading.text, is_heading=True)
    return lead.title if lead else heading.text


def _details(front: Mapping[str, object]) -> Iterator[Line]:
    """Give what the front matter says in the words that a task's text would use."""
    for key, label in _KEYS.items():
        value = front.get(key)
        words = ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")
        if words:
            yield Line(
                1, f"{label}: `{words}`" if key == "verify" else f"{label}: {words}", 0, False
            )
