"""A plan carried out: order, retries, escalation, death and a person's word."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from agentjournal.errors import NotFoundError
from agentjournal.execution.dispatch import load_statuses
from agentjournal.execution.policy import DEFAULT_LIMITS, Limits
from agentjournal.execution.resolve import resolve
from agentjournal.orchestrator.loop import Approval, loop, standing
from agentjournal.orchestrator.run import claim
from agentjournal.orchestrator.stop import StopRequest
from support.workshop import SLUG, Workers, open_log, workshop

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.brief.brief import Brief
    from agentjournal.execution.reap import Reaped
    from agentjournal.execution.status import Status
    from agentjournal.execution.task import TaskFacts
    from agentjournal.orchestrator.loop import LoopEnd, Proposal
    from agentjournal.orchestrator.run import Job, Run
    from agentjournal.orchestrator.workshop import Workshop
    from agentjournal.storage.database import Database


class Ear:
    """Notes what it hears; answers from a list, then goes on."""

    def __init__(self, *answers: Approval) -> None:
        self.answers = list(answers)
        self.proposed: list[str] = []
        self.heard: list[str] = []

    def approve(self, proposal: Proposal) -> Approval:
        self.proposed.append(proposal.task.id)
        return self.answers.pop(0) if self.answers else Approval("go")

    def reaped(self, attempts: list[Reaped]) -> None:
        self.heard += [f"reaped {each.task}" for each in attempts]

    def ended(self, task: TaskFacts, run: Run, status: Status) -> None:
        self.heard.append(f"{task.id} {run.number} {status}")

    def escalated(self, task: str, why: str) -> None:
        self.heard.append(f"escalated {task}: {why}")


@pytest.fixture
def shop(database: Database, tmp_path: Path) -> Workshop:
    return workshop(open_log(database), tmp_path)


@pytest.fixture
def workers(tmp_path: Path) -> Workers:
    return Workers(tmp_path)


def carry_out(shop: Workshop, job: Job, ear: Ear, until: str | None = None) -> LoopEnd:
    return loop(shop, job, ear, StopRequest(), until=until)


def words(shop: Workshop) -> dict[str, str]:
    with shop.log.database.snapshot() as reader:
        status = load_statuses(reader, SLUG, DEFAULT_LIMITS)[1]
    return {task: str(each) for task, each in status.items()}


def project_steps(shop: Workshop) -> list[str]:
    with shop.log.database.snapshot() as reader:
        events = shop.log.events(reader, f"project/{SLUG}", limit=1000)
    return [str(e.body["action"]) for e in events if e.kind == "step" and "plan_ref" not in e.body]


def test_tasks_are_carried_out_in_order_until_all_is_done(shop, workers):
    ear = Ear()
    end = carry_out(shop, workers.job("done()"), ear)
    assert (end.why, end.exit_code, end.dispatched) == ("done", 0, 3)
    assert ear.proposed == ["T-1", "T-2", "T-3"]


def test_a_failure_with_something_ruled_out_is_tried_again_with_that_in_the_brief(shop, workers):
    program = """
if task == "T-1" and "The first way" not in brief:
    failed("The first way")
else:
    done()
"""
    ear = Ear()
    assert carry_out(shop, workers.job(program), ear).why == "done"
    assert ear.proposed == ["T-1", "T-1", "T-2", "T-3"]


def test_the_same_failure_twice_waits_for_a_person_and_is_said_once(shop, workers):
    job = workers.job("failed('The only way')")
    ear = Ear()
    end = carry_out(shop, job, ear)
    assert (end.why, end.exit_code) == ("blocked", 1)
    assert len(project_steps(shop)) == 1
    assert "T-1" in project_steps(shop)[0]
    carry_out(shop, job, ear)
    assert len(project_steps(shop)) == 1, "a second loop says nothing again"


def test_two_crashes_escalate(shop, workers):
    ear = Ear()
    end = carry_out(shop, workers.job("os.kill(os.getpid(), 9)"), ear)
    assert (end.why, end.dispatched) == ("blocked", 2)
    assert any("escalated T-1" in each for each in ear.heard)


def test_a_person_s_retry_gives_a_fresh_count(shop, workers):
    carry_out(shop, workers.job("os.kill(os.getpid(), 9)"), Ear())
    resolve(
        shop.log,
        SLUG,
        "T-1",
        "retry",
        "the machine is back",
        event_id=shop.new_id(),
        actor="ada",
        at=shop.now(),
    )
    assert carry_out(shop, workers.job("done()"), Ear()).why == "done"


@pytest.mark.parametrize("attempts", [1, 4])
def test_the_settings_say_how_often_a_task_may_come_back(shop, workers, attempts):
    shop = replace(shop, limits=Limits(max_attempts=attempts))
    job = workers.job("failed(f'Way {os.getpid()}')")
    end = carry_out(shop, job, Ear())
    assert (end.why, end.dispatched) == ("blocked", attempts)


def test_a_persons_word_on_the_next_task_goes_on_without_a_skipped_one(shop, workers):
    skip = workers.job("""
if task == "T-1":
    hand_off(result="skipped", action="Skipped it", current_state="Nobody needs it.")
else:
    done()
""")
    ear = Ear()
    assert carry_out(shop, skip, ear).why == "blocked"
    assert words(shop)["T-2"] == "blocked: T-1 was skipped"
    said = {"event_id": shop.new_id(), "actor": "ada", "at": shop.now()}
    resolve(shop.log, SLUG, "T-2", "retry", "it stands without", **said)
    assert carry_out(shop, skip, ear).why == "done"
    assert words(shop) == {"T-1": "skipped", "T-2": "done", "T-3": "done"}


def test_an_attempt_of_a_dead_wrapper_is_closed_before_the_next_dispatch(shop, workers):
    claim(shop, workers.job(""))
    alone = replace(shop, machine=replace(shop.machine, is_alive=lambda _pid, _started: False))
    ear = Ear()
    assert carry_out(alone, workers.job("done()"), ear).why == "done"
    assert ear.heard[0] == "reaped T-1"


def test_what_somebody_else_works_on_is_left_to_them(shop, workers):
    claim(shop, workers.job(""))
    end = carry_out(shop, workers.job("done()"), Ear())
    assert (end.why, end.exit_code, end.dispatched) == ("in flight elsewhere", 1, 0)


def test_until_stops_once_that_task_is_done(shop, workers):
    end = carry_out(shop, workers.job("done()"), Ear(), until="T-2")
    assert (end.why, end.exit_code, end.dispatched) == ("until", 0, 2)
    assert words(shop)["T-3"] == "ready"


def test_until_an_unknown_task_is_refused_before_anything_is_started(shop, workers):
    with pytest.raises(NotFoundError, match="T-9"):
        carry_out(shop, workers.job("done()"), Ear(), until="T-9")
    assert words(shop)["T-1"] == "ready"


def test_a_person_may_skip_edit_and_stop(shop, workers):
    def shout(brief: Brief) -> Brief:
        return replace(brief, task_part=brief.task_part + "SHOUT\n")

    program = "done(log='heard' if 'SHOUT' in brief else 'missed')"
    ear = Ear(Approval("go", edit=shout), Approval("stop"))
    end = carry_out(shop, workers.job(program), ear)
    assert (end.why, end.dispatched) == ("stopped", 1)
    with shop.log.database.snapshot() as reader:
        events = shop.log.events(reader, f"project/{SLUG}", limit=100)
    assert events[-1].body["log"] == "heard"
    assert carry_out(shop, workers.job("done()"), Ear(Approval("skip"))).why == "blocked"


def test_a_stop_request_ends_the_loop_after_its_worker(shop, workers):
    stop = StopRequest()
    stop.ask(15)
    end = loop(shop, workers.job("done()"), Ear(), stop)
    assert (end.why, end.dispatched) == ("stopped", 0)


def test_after_a_sleep_the_living_may_send_a_heartbeat_before_anybody_is_reaped(
    shop, workers, clock
):
    waited: list[float] = []

    class Sleepy(StopRequest):
        def wait(self, seconds: float) -> None:
            waited.append(seconds)

    def sleep(brief: Brief) -> Brief:
        clock.set(clock.now() + timedelta(hours=1))
        return brief

    shop = replace(shop, clock=clock)
    ear = Ear(Approval("go", edit=sleep))
    assert loop(shop, workers.job("done()"), ear, Sleepy()).why == "done"
    assert waited == [shop.heartbeat_seconds]


def test_standing_names_what_is_next_without_starting_it(shop):
    now = standing(shop, SLUG)
    assert now.next is not None
    assert (now.next.id, now.is_done) == ("T-1", False)
