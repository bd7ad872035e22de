"""A loop killed at any moment, its workers too, carries its plan out in the end: each task once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.linux,
    pytest.mark.skipif(sys.platform != "linux", reason="linux: looks for orphans in /proc"),
]
_TESTS = Path(__file__).parent.parent


@pytest.fixture(params=["sqlite", "postgres"])
def server(request):
    """The arguments that name the engine."""
    if request.param == "sqlite":
        return []
    return ["--server", request.getfixturevalue("postgres_url")]


def counted(folder, *arguments):
    """Kill until it was done so often, or something was found."""
    ran = subprocess.run(
        [sys.executable, "-m", "support.loop_kills", folder, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=_TESTS,
    )
    assert ran.returncode == 0, f"{arguments}: {ran.stderr[-4000:]}"
    found = json.loads(ran.stdout)
    print(found)
    return found


def test_fifty_kills_of_a_loop_and_some_of_its_workers(memory_folder, server):
    found = counted(memory_folder, "--kills", 50, "--seed", 1, *server)
    assert found["loops killed"] >= 50
    assert found["workers killed"] >= 5
    assert found["plans"] >= 5


def test_kills_of_two_loops_at_one_plan(memory_folder):
    found = counted(memory_folder, "--kills", 8, "--seed", 2, "--loops", 2)
    assert found["loops killed"] >= 8


@pytest.mark.faults
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(("loops", "kills"), [(1, 1000), (2, 500)])
def test_many_kills(memory_folder, server, loops, kills):
    found = counted(memory_folder, "--kills", kills, "--seed", 3, "--loops", loops, *server)
    assert found["loops killed"] >= kills


@pytest.mark.faults
@pytest.mark.timeout(3600)
def test_kills_of_the_installed_program(memory_folder, server):
    found = counted(memory_folder, "--kills", 50, "--seed", 4, "--cold", *server)
    assert found["loops killed"] >= 50
