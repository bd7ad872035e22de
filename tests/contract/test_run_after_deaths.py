"""What the dead left behind hinders nobody: their attempts are taken back, their closes taken in."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import pytest

from agentjournal.errors import StoreBusyError, StoreUnavailableError
from agentjournal.execution.closing import close_attempt
from agentjournal.execution.dispatch import load_statuses
from agentjournal.execution.policy import DEFAULT_LIMITS
from agentjournal.orchestrator import close as closing
from agentjournal.orchestrator import run as running
from agentjournal.orchestrator.by_hand import open_by_hand
from agentjournal.orchestrator.loop import Approval, loop
from agentjournal.orchestrator.reaping import reap_workers
from agentjournal.orchestrator.run import claim, run_worker
from agentjournal.orchestrator.stop import StopRequest
from support.workshop import SLUG, Workers, open_log, workshop

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.orchestrator.workshop import Workshop
    from agentjournal.storage.database import Database


@pytest.fixture
def shop(database: Database, tmp_path: Path) -> Workshop:
    return workshop(open_log(database), tmp_path)


@pytest.fixture
def workers(tmp_path: Path) -> Workers:
    return Workers(tmp_path)


@pytest.fixture
def alone(shop: Workshop) -> Workshop:
    """The same workshop, on a machine where every other wrapper is dead."""
    return replace(shop, machine=replace(shop.machine, is_alive=lambda _pid, _started: False))


class Ear:
    """Approves of everything, and hears nothing."""

    def approve(self, _proposal: object) -> Approval:
        return Approval("go")

    def reaped(self, _attempts: object) -> None: ...

    def ended(self, *_ended: object) -> None: ...

    def escalated(self, *_escalated: object) -> None: ...


def word(shop: Workshop, task: str = "T-1") -> str:
    with shop.log.database.snapshot() as reader:
        return str(load_statuses(reader, SLUG, DEFAULT_LIMITS)[1][task])


def test_a_task_whose_wrapper_is_gone_is_taken_back_and_claimed(shop, alone, workers):
    claim(shop, workers.job(""))
    assert run_worker(alone, workers.job("done()"), StopRequest()).number == 2
    assert word(shop) == "done"


def test_a_task_whose_wrapper_is_gone_is_taken_back_for_work_by_hand(shop, alone, workers):
    claim(shop, workers.job(""))
    assert open_by_hand(alone, SLUG, "T-1", "ada").number == 2


def busy_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the store be busy at the first close, and only then."""
    calls = count(1)

    def close(*given: object, **named: object) -> object:
        if next(calls) == 1:
            raise StoreBusyError("store busy, held by pid 1")
        return close_attempt(*given, **named)

    monkeypatch.setattr(closing, "close_attempt", close)


def test_a_loop_takes_in_its_own_spooled_close_and_goes_on(shop, workers, monkeypatch):
    busy_once(monkeypatch)
    end = loop(shop, workers.job("done()"), Ear(), StopRequest())
    assert (end.why, end.dispatched) == ("done", 3)
    assert shop.spool.counts() == (0, 0)


def test_a_close_that_waits_in_the_spool_is_counted_before_its_wrapper_is_found_dead(
    shop, alone, workers, monkeypatch
):
    busy_once(monkeypatch)
    run_worker(shop, workers.job("done()"), StopRequest())
    assert reap_workers(alone) == []
    assert word(shop) == "done"


def test_a_worker_that_dies_behind_its_gate_is_closed_as_killed(shop, workers, monkeypatch):
    def kill(*_given: object, pid: int, **_named: object) -> None:
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)

    monkeypatch.setattr(running, "set_worker", kill)
    assert run_worker(shop, workers.job("done()"), StopRequest()).exit_code == 128 + signal.SIGKILL
    assert word(shop) == "failed (1 of 3)"


def test_a_store_that_is_gone_at_a_worker_s_end_hinders_no_close(shop, workers, monkeypatch):
    def gone(*_given: object) -> None:
        raise StoreUnavailableError("it cannot be reached")

    with monkeypatch.context() as patch:
        patch.setattr(running, "own_step", gone)
        patch.setattr(closing, "close_attempt", lambda *_given, **_named: gone())
        ended = run_worker(shop, workers.job("print('last words')"), StopRequest())
    assert ended.closed.waits_because == "it cannot be reached"
    assert reap_workers(shop) == []
    assert word(shop) == "failed (1 of 3)"
