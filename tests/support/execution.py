"""A project with a small plan, and steps on it: what tests of the execution log begin with."""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING

from agentjournal.execution.attempt import LeaseFor, open_attempt
from agentjournal.execution.closing import close_attempt
from agentjournal.execution.contract import read_step, token_digest
from agentjournal.execution.ending import Ending
from agentjournal.execution.fold import EXECUTION_TABLES, ExecutionFold
from agentjournal.execution.plan.model import Plan, PlannedTask
from agentjournal.execution.project import add_plan
from agentjournal.execution.resolve import reopen_ruled_out
from agentjournal.execution.write import log_step
from agentjournal.log.log import Log
from agentjournal.storage.statement import parse_statement

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentjournal.execution.attempt import Claim
    from agentjournal.execution.contract import Source
    from agentjournal.execution.ending import Written
    from agentjournal.execution.logged import Logged
    from agentjournal.execution.resolve import Said
    from agentjournal.execution.step import Step
    from agentjournal.log.event import Event
    from agentjournal.storage.database import Database, Row

AT = "2026-01-31T09:00:00.000000Z"
SLUG = "demo"
LEASE = LeaseFor(seconds=900, host="here", boot="boot-1", pid=100, started="1")
RULED_OUT = {"option": "Poll the server", "why": "It takes 40 s a call"}


def ids(first: int = 1) -> Callable[[], str]:
    """Give a source of valid, distinct ids that is the same in every run."""
    numbers = count(first)
    return lambda: uuid(next(numbers))


def uuid(number: int) -> str:
    return f"01999999-0000-7000-8000-{number:012x}"


def token(number: int) -> str:
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    digits = [letters[number // 32**place % 32] for place in range(26)]
    return "aj-" + "".join(digits)


def execution_log(database: Database) -> Log:
    log = Log(database, [ExecutionFold()], [EXECUTION_TABLES])
    log.migrate()
    return log


def task(id: str, place: int, **more: object) -> PlannedTask:  # noqa: A002 - the field's name
    values = {
        "title": f"Title of {id}",
        "text": f"Text of {id}",
        "section": "Work",
        "section_place": 1,
        "rank": 1,
    }
    return PlannedTask(id=id, place=place, **values | more)


def plan(*tasks: PlannedTask, title: str = "A small plan") -> Plan:
    """Give a plan; without tasks: T-1 and T-2 side by side, box 2 with 2.1 and 2.2 after them."""
    few = tasks or (
        task("T-1", 1, files=("src/one.py",)),
        task("T-2", 2),
        task("2", 3, is_container=True, rank=2),
        task("2.1", 4, parent="2", rank=2),
        task("2.2", 5, parent="2", rank=2),
    )
    return Plan(
        title=title, goal="Reach it.", text="# Plan", path="plan.md", sha256="0" * 64, tasks=few
    )


def project(database: Database, *tasks: PlannedTask, slug: str = SLUG, first: int = 1) -> Log:
    log = execution_log(database)
    add_plan(log, slug, plan(*tasks), ids=ids(first), actor="me", at=AT)
    return log


def step(number: int, **fields: object) -> Step:
    """Give a valid step on T-1; `number` makes its id, `token` binds it."""
    given = {"result": "success", "action": "Did it", "current_state": "It is done", **fields}
    given = {name: value for name, value in given.items() if value is not None}
    defaults = {
        "id": uuid(0x10000 + number),
        "project_slug": SLUG,
        "plan_ref": "T-1",
        "actor": "worker-1",
        "ended_at": AT,
    }
    if "plan_ref" in fields and fields["plan_ref"] is None:
        del defaults["plan_ref"]
    return read_step(given, source="log", defaults=defaults)


def failed(number: int, **fields: object) -> Step:
    given = {
        "result": "failed",
        "action": "Tried polling",
        "current_state": "Nothing works yet",
        "next_step": "Use a queue",
        "ruled_out": [RULED_OUT],
    }
    return step(number, **given | fields)


def write(log: Log, written: Step, first: int = 0x90000) -> Logged:
    return log_step(log, written, new_id=ids(first + int(written.id[-12:], 16) * 4))


def claim(log: Log, number: int, **more: object) -> Claim:
    """Claim T-1 with claim id and token number `number`."""
    given = {
        "slug": SLUG,
        "task": "T-1",
        "claim_id": uuid(0x50000 + number),
        "token": token(number),
        "holder": "wrapper",
        "actor": f"worker-{number}",
        "at": AT,
        "lease": LEASE,
    }
    return open_attempt(log, **given | more)


def ending(number: int, **more: object) -> Ending:
    """Give how the worker of token `number` ended on T-1: with exit status 0 and no handoff."""
    given = {
        "id": uuid(0x20000 + number),
        "project_slug": SLUG,
        "plan_ref": "T-1",
        "attempt": token_digest(token(number)),
        "actor": f"worker-{number}",
        "ended_at": AT,
        "end": "contract_missing",
        "exit_status": 0,
    }
    return Ending(**given | more)


def close(
    log: Log, number: int, written: Written = None, source: Source = "file", **more: object
) -> Logged:
    """Close the attempt of token `number` with what its worker wrote."""
    return close_attempt(
        log,
        ending(number, **more),
        written,
        source=source,
        new_id=ids(0xA0000 + number * 16),
    )


def reopen(log: Log, item: str, why: str, event_id: str) -> Said:
    """Take an option back by the word of ada."""
    return reopen_ruled_out(
        log, item, why, event_id=event_id, actor="ada", at=AT, new_id=ids(0xB0000)
    )


def rows(database: Database, table: str) -> list[Row]:
    """Give every row of a table."""
    return database.rows(parse_statement("all_rows", "SELECT * FROM {schema}" + table))  # noqa: S608 - ours


def dump(database: Database, *more: str) -> str:
    """Give everything that the projections (and more tables) say, as one text."""
    tables = [*(table.name for table in ExecutionFold.tables), *more]
    return json.dumps([rows(database, table) for table in tables], ensure_ascii=False)


def events(log: Log, slug: str = SLUG) -> list[Event]:
    with log.database.snapshot() as reader:
        return list(log.all_events(reader, f"project/{slug}"))


def facts(log: Log, task: str = "T-1") -> Row:
    return next(row for row in rows(log.database, "task") if row["task"] == task)
