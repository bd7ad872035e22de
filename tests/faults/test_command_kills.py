"""`log`, `run` and `loop`, killed before, after and inside each of their moments, lose and repeat nothing."""

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
_FULL_SIZE = [pytest.mark.faults, pytest.mark.timeout(7200)]
# One in so many of the moments of each kind, for each engine; at full size all of them.
_EVERY = {"sqlite": {"log": 4, "run": 8, "loop": 40}, "postgres": {"log": 8, "run": 16, "loop": 80}}
_TURNS = {
    "open_attempt",
    "build_brief",
    "start",
    "spawned",
    "set_worker",
    "release",
    "wait",
    "pick_up",
    "close_or_spool",
    "clear",
}


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request):
    return request.param


@pytest.fixture
def server(request, engine):
    """The arguments that name the engine."""
    if engine == "sqlite":
        return []
    return ["--server", request.getfixturevalue("postgres_url")]


def sweep(folder, *arguments):
    """Run the sweep, which ends at the first fault."""
    return subprocess.run(
        [sys.executable, "-m", "support.command_kills", folder, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=_TESTS,
    )


def counted(folder, *arguments):
    ran = sweep(folder, *arguments)
    assert ran.returncode == 0, ran.stderr[-4000:]
    found = json.loads(ran.stdout)
    print(found)
    assert found["reopening_moments"] < 2 * found["moments"], "reopening is as much work again"
    return found


@pytest.mark.parametrize("command", ["log", "run", "loop"])
def test_a_kill_at_a_moment_of_each_kind(memory_folder, engine, server, command):
    found = counted(memory_folder, command, "--every", _EVERY[engine][command], *server)
    labels = found["by_label"]
    turns = {label.removeprefix("turn ") for label in labels if label.startswith("turn ")}
    assert turns >= _TURNS or command == "log"
    stores = (
        ("write log.db-wal", "sync log.db-wal") if engine == "sqlite" else ("trip _commit_gen",)
    )
    assert all(labels[store] >= 2 for store in stores)
    assert command == "log" or all(
        labels[f"worker {moment}"] == 1 for moment in ("begin", "half", "handed")
    )


@pytest.mark.parametrize("command", [pytest.param(c, marks=_FULL_SIZE) for c in _EVERY["sqlite"]])
def test_a_kill_at_every_moment(memory_folder, engine, server, command):
    found = counted(memory_folder, command, *server)
    print(f"{found['kills']} kills of {command} on {engine}: nothing lost, nothing twice")
    assert found["kills"] >= 2 * found["moments"]


@pytest.mark.parametrize(
    ("mistake", "command", "finding"),
    [
        ("hasty", "log", "lost: 0192f0c4-0000-7000-8000-000000000001"),
        ("second-id", "log", "twice by content: "),
        ("no-gate", "run", "still running: "),
    ],
)
def test_a_mistake_made_on_purpose_is_found_so_the_sweep_can_fail(
    memory_folder, mistake, command, finding
):
    ran = sweep(memory_folder, command, "--every", 8, "--control", mistake)
    assert ran.returncode != 0
    assert finding in ran.stderr
