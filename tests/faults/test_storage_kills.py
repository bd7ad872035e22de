"""A worker killed at any moment loses nothing that was acknowledged, and leaves a store that opens."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

_TESTS = Path(__file__).parent.parent


@pytest.fixture
def folder(memory_folder):
    return memory_folder


def sweep(folder, *arguments):
    """Run the sweep, which ends at the first fault."""
    return subprocess.run(
        [sys.executable, "-m", "support.kill_sweep", folder, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=_TESTS,
    )


def kills(folder, *arguments):
    ran = sweep(folder, *arguments)
    assert ran.returncode == 0, ran.stderr[-2000:]
    counted = json.loads(ran.stdout)
    assert counted["slowest_reopening"] < 1
    return counted["kills"]


def test_a_kill_around_each_operation_of_a_row_of_transactions(folder):
    assert kills(folder) >= 150


def test_a_kill_around_each_operation_of_making_and_rewriting_a_store(folder):
    assert kills(folder, "--fresh") >= 100


def test_kills_of_two_processes_at_one_store(folder):
    assert kills(folder, "--processes", "2", "--rounds", "30", "--seed", "1") >= 20


def test_a_worker_that_acknowledges_too_early_is_found_losing_so_the_tests_can_fail(folder):
    ran = sweep(folder, "--hasty")
    assert ran.returncode != 0
    assert "lost: 0." in ran.stderr


@pytest.mark.faults
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("processes", "rounds"), [(1, 1500), (2, 1000), (8, 400)])
def test_many_kills(folder, processes, rounds):
    counted = kills(folder, "--processes", str(processes), "--rounds", str(rounds), "--seed", "2")
    print(f"{counted} kills of {processes} processes: nothing lost, nothing twice")
    assert counted >= rounds / 2
