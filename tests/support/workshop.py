"""A workshop over any store, and workers that are small Python programs."""

from __future__ import annotations

import os
import sys
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from agentjournal.brief.caps import BriefCaps
from agentjournal.compose.machine import this_machine
from agentjournal.compose.world import this_world
from agentjournal.execution.fold import EXECUTION_TABLES, ExecutionFold
from agentjournal.execution.observed import NOTHING_OBSERVED
from agentjournal.execution.plan.read import read_plan
from agentjournal.execution.policy import DEFAULT_LIMITS
from agentjournal.execution.project import add_plan
from agentjournal.log.log import Log
from agentjournal.orchestrator.run import Job
from agentjournal.orchestrator.workshop import Workshop
from agentjournal.system.identity import attempt_token
from agentjournal.system.spool import Spool

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.storage.database import Database

SLUG = "shop"
PLAN = """# Shop

Sell things.

### T-1 First

Make `first.py`.

### T-2 Second

Make `second.py`. Depends on: T-1

### T-3 Third

Make `third.py`. Depends on: T-2
"""

# What a worker's program begins with: `hand_off` writes the handoff file.
HEAD = """
import json, os, sys
brief = sys.stdin.read()
task = os.environ["AGENTJOURNAL_TASK"]
def hand_off(**form):
    with open(os.environ["AGENTJOURNAL_HANDOFF"], "w") as file:
        json.dump(form, file)
def done(**more):
    hand_off(result="success", action=f"Made {task}", current_state="It works.", **more)
def failed(option, **more):
    hand_off(result="failed", action=f"Tried {task}", current_state="It does not work.",
             next_step="Try another way.", ruled_out=[{"option": option, "why": "It broke."}], **more)
"""


def open_log(database: Database, plan: str = PLAN, slug: str = SLUG) -> Log:
    """Make the tables and register the plan."""
    log = Log(database, [ExecutionFold()], [EXECUTION_TABLES])
    log.migrate()
    read = read_plan(plan.encode(), "plan.md").plan
    assert read is not None
    world = this_world()
    add_plan(log, slug, read, ids=world.new_id, actor="tester", at=world.now())
    return log


def workshop(log: Log, folder: Path, **changed: object) -> Workshop:
    """Give a workshop that works in a folder; `changed` replaces its parts."""
    world = this_world()
    parts: dict[str, object] = {
        "log": log,
        "spool": Spool(folder / "spool", world.new_id),
        "machine": this_machine(),
        "attempts": folder / "attempts",
        "folder": folder,
        "environment": dict(os.environ),
        "new_id": world.new_id,
        "new_token": partial(attempt_token, world.random_bytes),
        "clock": world.clock,
        "sources": list,
        "observed": lambda _slug: NOTHING_OBSERVED,
        "limits": DEFAULT_LIMITS,
        "caps": BriefCaps(),
        "lease_seconds": 900,
        "heartbeat_seconds": 60,
    }
    return Workshop(**parts | changed)  # type: ignore[arg-type]


class Workers:
    """Writes workers' programs into a folder and gives jobs for them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count(1)

    def job(self, program: str, task: str = "T-1", timeout: float = 60.0, slug: str = SLUG) -> Job:
        """Give the job of a worker that runs the program."""
        script = self._folder / f"worker{next(self._numbers)}.py"
        script.write_text(HEAD + program)
        return Job(
            slug=slug,
            task=task,
            command=(sys.executable, str(script)),
            actor="worker-1",
            timeout=timeout,
        )
