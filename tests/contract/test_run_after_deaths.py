"""What the dead left behind hinders nobody: their attempts are taken back, their closes taken in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agentjournal.execution.dispatch import load_statuses
from agentjournal.execution.policy import DEFAULT_LIMITS
from agentjournal.orchestrator.by_hand import open_by_hand
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
