"""Where a project stands, in the same few bytes whatever its size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agentjournal.errors import InputError, NotFoundError
from agentjournal.execution.attempt import Opened
from agentjournal.execution.dispatch import next_task
from agentjournal.execution.observed import Observed
from agentjournal.execution.plan import read_plan
from agentjournal.execution.policy import Limits
from agentjournal.execution.project import add_plan
from agentjournal.execution.resolve import resolve
from agentjournal.execution.state import get_project_state, get_project_state_data
from agentjournal.log.revoke import redact
from agentjournal.log.verify import verify
from agentjournal.storage.open import open_database
from agentjournal.storage.statement import parse_statement
from agentjournal.text.bounded import size
from support.execution import (
    AT,
    claim,
    events,
    execution_log,
    failed,
    ids,
    project,
    step,
    task,
    uuid,
    write,
)
from support.golden import check
from support.reads_life import SLUG, lively

if TYPE_CHECKING:
    from agentjournal.storage.database import Database
    from support.clock import SettableClock

SEEN = Observed(plan_sha256="1" * 64)


def test_a_project_in_the_middle_of_its_plan_reads_as_kept(database: Database) -> None:
    log = lively(database)
    check("state.txt", get_project_state(log, SLUG, observed=SEEN))
    check("state_500.txt", get_project_state(log, SLUG, cap=500))


def test_a_plan_that_is_carried_out_says_so(database: Database) -> None:
    log = project(database, task("T-1", 1), task("T-2", 2, rank=2))
    write(log, step(1, plan_ref="T-1"))
    write(log, step(2, plan_ref="T-2"))
    text = get_project_state(log, SLUG)
    assert "2 tasks: done 2\nNext: none, the plan is carried out\n" in text
    assert next_task(log, SLUG) is None


def test_a_lease_that_ran_out_reads_so_by_the_databases_clock(
    database: Database, clock: SettableClock
) -> None:
    log = project(database)
    claim(log, 1)
    assert "- T-1 attempt 1 by worker-1, leased until 2026-01-31T09:15:00Z" in (
        get_project_state(log, SLUG)
    )
    clock.advance(901)
    assert "- T-1 attempt 1 by worker-1, lease ran out" in get_project_state(log, SLUG)
    frozen = Observed(now=AT)
    assert "leased until" in get_project_state(log, SLUG, observed=frozen)


def test_the_lowest_place_among_failed_and_ready_is_next(database: Database) -> None:
    log = project(database, *(task(f"T-{n}", n, rank=1) for n in range(1, 5)))
    write(log, failed(1, plan_ref="T-2"))
    assert next_task(log, SLUG) == "T-1"
    write(log, step(2, plan_ref="T-1"))
    assert next_task(log, SLUG) == "T-2"
    assert next_task(log, SLUG, limits=Limits(max_attempts=1)) == "T-3"


def test_a_task_whose_attempts_are_used_up_waits_for_a_person_and_then_starts_anew(
    database: Database,
) -> None:
    log = project(database)
    for number in range(3):
        write(log, failed(number, ruled_out=[{"option": f"Way {number}", "why": "no"}]))
    assert "- T-1: attempts used up (3). Way 2: no [worker-1 " in get_project_state(log, SLUG)
    resolve(
        log, SLUG, "T-1", "retry", "the port is open", event_id=uuid(0x70000), actor="ada", at=AT
    )
    assert next_task(log, SLUG) == "T-1"


def test_a_task_that_says_it_depends_on_nothing_is_ready_at_once(database: Database) -> None:
    text = b"# P\n\n- [ ] T1 a\n- [ ] T2 b\n- [ ] T3 c. Depends on: none\n"
    report = read_plan(text, "plan.md")
    log = execution_log(database)
    add_plan(log, SLUG, report.plan, ids=ids(), actor="me", at=AT)
    assert "3 tasks: ready 2, pending 1" in get_project_state(log, SLUG)
    assert isinstance(claim(log, 1, task="T3"), Opened)
    write(log, step(1, plan_ref="T1"))
    assert verify(log).is_good
    redact(log, events(log)[1].id, event_id=uuid(0x7A001), actor="ada", at=AT, why="A name")
    assert "3 tasks: done 1, in_flight 1, ready 1" in get_project_state(log, SLUG)


def test_tasks_that_wait_for_the_same_thing_share_a_line(database: Database) -> None:
    log = project(
        database, task("T-1", 1), *(task(f"T-{n}", n, depends=("T-1",)) for n in range(2, 9))
    )
    resolve(log, SLUG, "T-1", "skip", "not wanted", event_id=uuid(0x70000), actor="ada", at=AT)
    assert "\n- T-2..T-8: T-1 was skipped\n" in get_project_state(log, SLUG)


def test_a_person_releases_what_a_skipped_task_holds(database: Database) -> None:
    log = project(database, task("T-1", 1), task("T-2", 2, depends=("T-1",)))
    say = {"actor": "ada", "at": AT}
    resolve(log, SLUG, "T-1", "skip", "not wanted", event_id=uuid(0x70000), **say)
    text = get_project_state(log, SLUG)
    command = "agentjournal resolve demo TASK --retry|--skip|--done --why TEXT"
    assert f"\nBlocked, waits for a person: {command}\n- T-2: T-1 was skipped\n" in text
    resolve(log, SLUG, "T-2", "retry", "it goes without", event_id=uuid(0x70001), **say)
    assert "2 tasks: ready 1, skipped 1\nNext: T-2 " in get_project_state(log, SLUG)
    assert next_task(log, SLUG) == "T-2"
    write(log, step(1, plan_ref="T-2"))
    assert "2 tasks: done 1, skipped 1\nNext: none" in get_project_state(log, SLUG)
    assert verify(log).is_good


@pytest.fixture(scope="module")
def large() -> Database:
    """Ten thousand tasks with long titles, a third done, a third blocked, a third ready."""
    database = open_database(":memory:")
    many = (task(f"T{n:05d}", n, title="A long title " * 9) for n in range(1, 10_001))
    project(database, *many)
    why = "w" * 200
    words = {0: ("failed", 3), 1: ("success", 1)}
    with database.transaction() as tx:
        for rest, (result, closes) in words.items():
            text = (
                f"UPDATE {{schema}}task SET last_result = '{result}', last_end = 'handoff', "  # noqa: S608 - our own words
                f"closes = {closes}, attempts = {closes}, why = '{why}' WHERE place % 3 = {rest}"
            )
            tx.run(parse_statement("vary", text))
    return database


@pytest.mark.parametrize("cap", [500, 1600, 4000])
def test_ten_thousand_tasks_still_fit(large: Database, cap: int) -> None:
    text = get_project_state(execution_log(large), SLUG, cap=cap)
    assert size(text + "\n") <= cap  # what prints it ends the line
    assert "10000 tasks: done 3334, ready 3333, blocked 3333" in text
    assert "Next: T00002 " in text
    assert text.splitlines()[-1].startswith("Left out: ")
    assert f"blocked {3333 - text.count('attempts used up')}" in text.splitlines()[-1]


def test_work_found_on_the_way_and_strange_steps_are_counted_apart(database: Database) -> None:
    data = get_project_state_data(lively(database), SLUG)
    assert data["counts"] == {
        "done": 1,
        "in_flight": 1,
        "failed": 2,
        "blocked": 1,
        "pending": 2,
    }
    assert data["discovered"] == {"ready": ["U-001"]}
    assert data["optional"] == {"done": 0, "total": 1}
    assert data["containers"] == {"6": "0 of 1"}
    assert data["quarantined"] == 1
    assert data["gates"] == {"deny": 1}
    assert data["next"] == "T-002"


def test_no_gate_event_is_no_evidence_and_not_no_violation(database: Database) -> None:
    assert "Gates: no evidence" in get_project_state(project(database), SLUG)


def test_an_unknown_project_and_a_wild_cap_are_refused(database: Database) -> None:
    log = project(database)
    with pytest.raises(NotFoundError, match="no project 'nowhere'") as caught:
        get_project_state(log, "nowhere")
    assert caught.value.next.endswith(f"There is: {SLUG}.")
    with pytest.raises(NotFoundError):
        next_task(log, "nowhere")
    with pytest.raises(InputError, match="between 500 and 4000"):
        get_project_state(log, SLUG, cap=4001)
