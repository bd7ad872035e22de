"""The steps of a project or task in order, a page at a time; the cursor is `seq`."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.execution.caps import HISTORY
from agentjournal.execution.citation import quoted_line
from agentjournal.execution.drift import drift_lines, is_drifted
from agentjournal.execution.layout import LINE_END, left_out_line
from agentjournal.execution.observed import NOTHING_OBSERVED, Observed
from agentjournal.execution.quoted import quoted_step, sentence
from agentjournal.execution.task import load_project
from agentjournal.storage.statement import load_statements
from agentjournal.text.bounded import clip, size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.execution.quoted import QuotedStep
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Value

__all__ = ["PAGE", "get_history", "get_history_data"]

SQL = load_statements("agentjournal.execution", "sql/read_history.sql")

PAGE = 20  # steps
MOST = 200
TASK_BYTES = 64


@dataclass(frozen=True)
class _Page:
    slug: str
    task: str | None
    after_seq: int
    steps: tuple[QuotedStep, ...]
    following: int  # steps after the cursor, those of the page included
    drift: list[str]


def get_history(  # noqa: PLR0913 - an address, a cursor, two bounds
    log: Log,
    slug: str,
    *,
    task: str | None = None,
    after_seq: int = 0,
    limit: int = PAGE,
    cap: int = HISTORY.default,
    observed: Observed = NOTHING_OBSERVED,
) -> str:
    """Give the steps after a seq in order, in at most `cap` bytes (up to 24,000).

    The last line counts those that follow and names the seq to go on after. A step that does not
    fit whole is shown without its handoff.

    Raises:
        NotFoundError: there is no such project.
        InputError: the cap lies outside of its bounds.
    """
    cap = HISTORY.checked(cap)
    page = _load(log, slug, task, after_seq, limit, observed)
    about = f"{slug} {quoted_line(task, TASK_BYTES)}" if task else slug
    told = f"Steps of {about} after seq {after_seq}. Brackets: actor, step, revision."
    head = "\n".join([told, *page.drift])
    longest = _last(page, page.following, after_seq + 10**9)
    room = cap - size(head) - size(longest) - 2 - LINE_END
    shown = list(_shown(page, room))
    if not shown:
        return f"{head}\nThere are none."
    left = page.following - len(shown)
    last = [_last(page, left, page.steps[len(shown) - 1].seq)] if left else []
    return "\n".join([head, *shown, *last])


def get_history_data(  # noqa: PLR0913 - as above
    log: Log,
    slug: str,
    *,
    task: str | None = None,
    after_seq: int = 0,
    limit: int = PAGE,
    observed: Observed = NOTHING_OBSERVED,
) -> dict[str, object]:
    """Give the same steps as plain data; `after_seq` is the cursor of the next page.

    Raises:
        NotFoundError: there is no such project.
    """
    page = _load(log, slug, task, after_seq, limit, observed)
    return {
        "project": slug,
        "task": task,
        "steps": [vars(step) for step in page.steps],
        "after_seq": page.steps[-1].seq if page.steps else after_seq,
        "left_out": page.following - len(page.steps),
        "is_drifted": bool(page.drift),
    }


def _load(  # noqa: PLR0913, PLR0917 - as above
    log: Log, slug: str, task: str | None, after_seq: int, limit: int, observed: Observed
) -> _Page:
    prefix = "task_" if task else ""
    at: dict[str, Value] = {"slug": slug, "after_seq": after_seq}
    if task:
        at["task"] = task
    with log.database.snapshot() as reader:
        project = load_project(reader, slug)
        rows = reader.rows(SQL[f"{prefix}steps_after"], **at, limit=min(max(limit, 1), MOST))
        following = int(reader.rows(SQL[f"{prefix}count_after"], **at)[0]["count"] or 0)
    drift = drift_lines(project["revision"], is_drifted=is_drifted(observed, project["sha256"]))
    return _Page(slug, task, after_seq, tuple(map(quoted_step, rows)), following, drift)


def _shown(page: _Page, room: int) -> Iterator[str]:
    """Give steps while they fit; the first is shown in any case, so that a cursor moves on."""
    for at, step in enumerate(page.steps):
        line = _line(step)
        text = "\n".join([line, *_more(step)])
        if size(text) >= room:
            text = line
        if size(text) >= room:
            if at:
                return
            text = clip(line, room - 1)
        room -= size(text) + 1
        yield text


def _line(step: QuotedStep) -> str:
    attempt = f" attempt {step.attempt}" if step.attempt else ""
    what = f"{step.task or 'project'}{attempt} {step.kind}, {step.came_back}"
    return f"#{step.seq} {step.at[:19]}Z {what}: {sentence(step.action)} {step.citation}"


def _more(step: QuotedStep) -> Iterator[str]:
    for label, name in (("State", "current_state"), ("Next", "next_step")):
        if text := step.line(name):
            yield f"  {label}: {text}"
    if options := [quoted_line(item["option"]) for item in step.handoff.get("ruled_out", ())]:
        yield f"  Ruled out: {'; '.join(options)}"


def _last(page: _Page, left: int, seq: int) -> str:
    task = f" --task {quoted_line(page.task, TASK_BYTES)}" if page.task else ""
    command = f"agentjournal history {page.slug}{task} --after {seq}"
    return left_out_line(Counter({"steps": left}), command)
