"""`log`, `run` and `loop`, killed before, after and inside each moment, lose nothing and repeat nothing."""

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
# One in so many of the moments of each kind, and of these about so many; at full size all of them, of
# each workload on each engine.
_SAMPLES = [
    ("sqlite", "add", "--every 60"),
    ("sqlite", "log", "--every 4"),
    ("sqlite", "hand", "--every 16"),
    ("sqlite", "run", "--every 12"),
    ("sqlite", "spool", "--every 4"),
    ("sqlite", "drain", "--every 40"),
    ("sqlite", "loop", "--every 8 --most 30"),
    ("postgres", "add", "--every 30"),
    ("postgres", "log", "--every 8"),
    ("postgres", "run", "--every 30"),
    ("postgres", "drain", "--every 60"),
    ("postgres", "loop", "--every 8 --most 30"),
]
_DISPATCH = {
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
_TURNS = {
    "run": _DISPATCH,
    "spool": {"close_or_spool", "clear"},
    "drain": {"reap"},
}
_BY_WORKER = ("worker begin", "worker half", "worker handed")
_AT_LEAST = {
    "run": _BY_WORKER,
    "spool": ("file write", "file fsync", "file unlink"),
    "drain": ("file rename", "file unlink"),
}


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


@pytest.mark.parametrize(("engine", "workload", "size"), _SAMPLES)
def test_a_kill_at_a_moment_of_each_kind(memory_folder, engine, server, workload, size):
    labels = counted(memory_folder, workload, *size.split(), *server)["by_label"]
    turns = {label.removeprefix("turn ") for label in labels if label.startswith("turn ")}
    assert turns >= _TURNS.get(workload, set())
    assert all(labels[label] >= 1 for label in _AT_LEAST.get(workload, ()))
    stores = (
        ("write log.db-wal", "sync log.db-wal") if engine == "sqlite" else ("trip _commit_gen",)
    )
    assert workload == "spool" or all(labels[store] >= 2 for store in stores)


@pytest.mark.faults
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
@pytest.mark.parametrize("workload", ["add", "log", "hand", "run", "spool", "drain", "loop"])
def test_a_kill_at_every_moment(memory_folder, engine, server, workload):
    found = counted(memory_folder, workload, *server)
    print(f"{found['kills']} kills of {workload} on {engine}: nothing lost, nothing twice")
    assert found["kills"] >= 30


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
