"""A store moved to the other engine and back: it verifies, reads alike, and exports the same bytes."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from agentjournal.brief.build import build_brief
from agentjournal.execution.claims import why
from agentjournal.execution.context import get_task_context
from agentjournal.execution.history import get_history, get_step
from agentjournal.execution.record import RECORD_ROOM, record_lines
from agentjournal.execution.shown import shown_plan
from agentjournal.execution.state import get_project_state
from agentjournal.log.revoke import redact, retract
from agentjournal.log.transfer import export, import_lines
from agentjournal.log.verify import verify
from agentjournal.recall.logged import LoggedClaims
from agentjournal.recall.tried import tried
from agentjournal.storage.open import open_database
from support.execution import AT, claim, close, execution_log, failed, reopen, rows, uuid, write
from support.reads_life import SLUG, answered, lively

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.log.log import Log
    from support.clock import SettableClock

FOREIGN = "résumé 数据库 “quoted” \\ \t naïve"


def lived(log: Log) -> Log:
    """Add what a long life has: a floor that moved, texts taken back, an option reopened."""
    answered(log)
    close(log, 6, None, plan_ref="T-005")
    for number in range(20, 70):
        told = {"option": f"Way {number} of {FOREIGN}", "why": FOREIGN * 5}
        write(log, failed(number, project_slug=SLUG, plan_ref="T-001", ruled_out=[told]))
    said = {"actor": "ada", "at": AT, "why": "It was wrong"}
    retract(log, uuid(0x10000 + 68), event_id=uuid(0x7A001), **said)
    redact(log, uuid(0x10000 + 69), event_id=uuid(0x7A002), **said)
    reopen(log, f"{uuid(0x10000 + 67)}#1", "So", uuid(0x7A003))
    return log


def everything_read(log: Log) -> list[str]:
    """Give every read of the project as text."""
    tasks = sorted(str(row["task"]) for row in rows(log.database, "task"))
    steps = sorted(str(row["id"]) for row in rows(log.database, "step") if not row["is_hidden"])
    claims = LoggedClaims(log.database)
    with log.database.snapshot() as reader:
        record = record_lines(reader, SLUG)
    return [
        *(get_project_state(log, SLUG, cap=cap) for cap in (500, 1600, 4000)),
        *(get_task_context(log, SLUG, task, cap=cap) for task in tasks for cap in (900, 6000)),
        *(build_brief(log, SLUG, task, sources=[claims]).text for task in tasks),
        *(get_history(log, SLUG, after_seq=after) for after in (0, 20, 40)),
        *(get_step(log, step) for step in steps),
        *(why(log, SLUG, words) for words in ("way", "deliveries", "数据库", "nothing")),
        *(tried([claims], words).text for words in ("poll every second", FOREIGN)),
        *record,
        shown_plan(log, SLUG, None)[0],
    ]


@pytest.mark.parametrize("first", ["sqlite", "postgres"])
def test_a_store_reads_alike_on_the_other_engine_and_back(
    sqlite_path: Path, postgres_url: str, clock: SettableClock, first: str
) -> None:
    here, there = str(sqlite_path), postgres_url
    if first == "postgres":
        here, there = there, here
    back = str(sqlite_path.with_name("back.db"))
    with closing(open_database(here, clock=clock)) as database:
        log = lived(lively(database))
        reads, lines = everything_read(log), list(export(log))
        (kept,) = rows(database, "project")
        assert int(kept["floor"]) > 0
        assert int(kept["room_used"]) <= RECORD_ROOM
    for location in (there, back):
        with closing(open_database(location, clock=clock)) as database:
            moved = execution_log(database)
            import_lines(moved, lines)
            assert verify(moved).is_good
            assert everything_read(moved) == reads
            assert list(export(moved)) == lines
            assert rows(database, "project") == [kept]


def test_work_under_way_reads_as_run_out_where_it_was_moved_to(
    sqlite_path: Path, postgres_url: str, clock: SettableClock
) -> None:
    with closing(open_database(str(sqlite_path), clock=clock)) as database:
        log = lively(database)
        assert "T-005 attempt 1 by worker-5, leased until" in get_project_state(log, SLUG)
        lines = list(export(log))
    with closing(open_database(postgres_url, clock=clock)) as database:
        moved = execution_log(database)
        import_lines(moved, lines)
        assert "T-005 attempt 1 by worker-5, lease ran out" in get_project_state(moved, SLUG)
        held = claim(moved, 70, task="T-005")
        assert held.actor == "worker-5"
