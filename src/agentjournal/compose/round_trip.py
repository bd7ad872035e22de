"""A whole pass through a store of its own: what `doctor` shows to work."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

from agentjournal.brief.build import build_brief
from agentjournal.errors import DamagedError
from agentjournal.execution.contract import read_step
from agentjournal.execution.fold import EXECUTION_TABLES, ExecutionFold
from agentjournal.execution.plan.read import read_plan
from agentjournal.execution.project import add_plan
from agentjournal.execution.write import log_step
from agentjournal.journal.prefix import check_prefix_extension
from agentjournal.log.log import Log
from agentjournal.log.verify import verify
from agentjournal.storage.open import open_database

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.compose.world import World

__all__ = ["round_trip"]

SLUG = "doctor"
PLAN = b"# Doctor\n\nCheck the store.\n\n### T-1 First\n\nDo it.\n\n### T-2 Second\n\nDepends on: T-1\n"
FORM = {"result": "success", "action": "Checked the store", "current_state": "It holds."}


def round_trip(path: Path, world: World) -> None:
    """Register a plan, close a task, and check that the next brief extends the one before.

    Raises:
        AgentJournalError: something does not hold.
    """
    with closing(open_database(str(path))) as database:
        log = Log(database, [ExecutionFold()], [EXECUTION_TABLES])
        log.migrate()
        plan = read_plan(PLAN, "plan.md").plan
        if plan is None:
            raise DamagedError(
                "A plan of our own could not be read.", next="Reinstall agent-journal."
            )
        add_plan(log, SLUG, plan, ids=world.new_id, actor="doctor", at=world.now())
        brief = partial(build_brief, log, SLUG)
        before = brief("T-1")
        envelope = {
            "id": world.new_id(),
            "project_slug": SLUG,
            "plan_ref": "T-1",
            "actor": "doctor",
            "ended_at": world.now(),
        }
        log_step(log, read_step(FORM, source="log", defaults=envelope), new_id=world.new_id)
        check_prefix_extension(before.cacheable_prefix, brief("T-2").cacheable_prefix)
        report = verify(log)
        if not report.is_good:
            raise DamagedError(
                f"The round trip left {report.faults[0]}.", next="Check disk and memory."
            )
