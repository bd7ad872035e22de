"""A project that workers live through: attempts opened and closed through the write side."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from agentjournal.brief.build import build_brief
from agentjournal.execution.attempt import LeaseFor, Opened, open_attempt
from agentjournal.execution.closing import close_attempt
from agentjournal.execution.contract import token_digest
from agentjournal.execution.ending import Ending
from agentjournal.execution.plan.read import read_plan
from agentjournal.execution.project import add_plan
from agentjournal.execution.resolve import reopen_ruled_out, resolve
from agentjournal.recall.logged import LoggedClaims
from agentjournal.storage.statement import parse_statement
from agentjournal.text.bounded import size
from support.execution import execution_log, uuid

if TYPE_CHECKING:
    from agentjournal.brief.brief import Brief
    from agentjournal.storage.database import Database

AT = "2026-01-31T09:00:00.000000Z"
RESETS = parse_statement("resets", "SELECT resets FROM {schema}project WHERE slug = :slug")
LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


class Life:
    """One project on one store; ids, tokens and times are counted: each run is the same."""

    def __init__(self, database: Database, plan: str, slug: str = "fetcher", first: int = 1):
        self.slug = slug
        self.numbers = count(first)
        self.log = execution_log(database)
        report = read_plan(plan.encode(), "plan.md")
        assert report.is_valid, report.faults
        self.tasks = [task.id for task in report.plan.tasks]
        add_plan(self.log, slug, report.plan, ids=self.new_id, actor="ada", at=AT)
        self.open: dict[str, str] = {}
        self.closed: list[str] = []
        self.sources = (LoggedClaims(database),)

    def new_id(self) -> str:
        return uuid(next(self.numbers))

    def begin(self, task: str, actor: str = "worker-1") -> bool:
        """Open an attempt, by a person's word where policy had enough; False where it waits."""
        if not self._claim(task, actor):
            self.resolve(task, "retry")
        return task in self.open or self._claim(task, actor)

    def resolve(self, task: str, verb: str) -> None:
        event_id = self.new_id()
        resolve(self.log, self.slug, task, verb, "So.", event_id=event_id, actor="ada", at=AT)

    def reopen(self, item: str, why: str) -> None:
        """Take an option back; what says so may be taken back like a close."""
        event_id = self.new_id()
        reopen_ruled_out(
            self.log, item, why, event_id=event_id, actor="ada", at=AT, new_id=self.new_id
        )
        self.closed.append(event_id)

    def _claim(self, task: str, actor: str) -> bool:
        number = next(self.numbers)
        token = "aj-" + "".join(LETTERS[number >> 5 * place & 31] for place in range(26))
        claim = open_attempt(
            self.log,
            slug=self.slug,
            task=task,
            claim_id=self.new_id(),
            token=token,
            holder="wrapper",
            actor=actor,
            at=AT,
            lease=LeaseFor(seconds=900, host="here", boot="1", pid=1, started="1"),
        )
        if isinstance(claim, Opened):
            self.open[task] = token
        return isinstance(claim, Opened)

    def end(self, task: str, written=None, *, end="contract_missing", actor="worker-1", output=""):
        """Close the attempt of a task with what its worker wrote, or with nothing."""
        token = self.open.pop(task)
        ending = Ending(
            id=self.new_id(),
            project_slug=self.slug,
            plan_ref=task,
            attempt=token_digest(token),
            actor=actor,
            ended_at=AT,
            end=end,
            output=output,
        )
        closed = close_attempt(self.log, ending, written, new_id=self.new_id)
        self.closed.append(closed.id)
        return closed

    def resets(self) -> int:
        return int(self.log.database.rows(RESETS, slug=self.slug)[0]["resets"])

    def brief(self, task: str, **more) -> Brief:
        token = self.open.get(task)
        return build_brief(
            self.log, self.slug, task, token=token, **{"sources": self.sources} | more
        )


def parts(brief: Brief) -> dict[str, int]:
    """Give the bytes of each part below the boundary by its heading."""
    found, heading = {}, ""
    for line in brief.task_part.splitlines(keepends=True):
        if line.startswith("== ") and line.endswith(" ==\n"):
            heading = line.strip("= \n")
        else:
            found[heading] = found.get(heading, 0) + size(line)
    return found
