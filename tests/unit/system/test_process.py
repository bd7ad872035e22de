from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from agentjournal.system.process import (
    boot_id,
    end_group,
    host_name,
    is_alive,
    start_time,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HEEDS = "print('up', flush=True); import time; time.sleep(60)"
IGNORES = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {HEEDS}"
TIDIES = """
import signal, sys, time
def tidy(*_):
    time.sleep(0.3)
    open(sys.argv[1], "w").close()
    sys.exit()
signal.signal(signal.SIGTERM, tidy)
print("up", flush=True)
time.sleep(60)
"""
LEADS = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", *sys.argv[1:]], stdout=subprocess.PIPE)
child.stdout.readline()
print(child.pid, flush=True)
time.sleep(60)
"""


@pytest.fixture
def start() -> Iterator[object]:
    started: list[subprocess.Popen[bytes]] = []

    def begin(script: str, *arguments: str) -> tuple[subprocess.Popen[bytes], bytes]:
        process = subprocess.Popen(
            [sys.executable, "-c", script, *arguments],
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        started.append(process)
        assert process.stdout is not None
        return process, process.stdout.readline()

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def started_at(pid: int) -> str:
    moment = start_time(pid)
    assert moment is not None
    return moment


def test_this_host_and_boot_have_names_that_stay() -> None:
    assert host_name()
    assert boot_id() == boot_id() != ""


def test_a_living_process_is_known_by_its_start(start) -> None:
    process, _ = start(HEEDS)
    assert is_alive(process.pid, started_at(process.pid))
    assert is_alive(os.getpid(), started_at(os.getpid()))


def test_a_pid_with_another_start_is_another_process(start) -> None:
    process, _ = start(HEEDS)
    assert not is_alive(process.pid, "another moment")


def test_a_process_that_ended_is_gone_even_before_it_is_waited_for(start) -> None:
    process, _ = start(HEEDS)
    moment = started_at(process.pid)
    os.kill(process.pid, signal.SIGKILL)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert not is_alive(process.pid, moment)
    process.wait()
    assert start_time(process.pid) is None


@pytest.mark.parametrize("pid", [0, -1, 2**22 + 1])
def test_no_process_has_such_a_pid(pid: int) -> None:
    assert start_time(pid) is None


def test_a_process_is_ended_by_term(start) -> None:
    process, _ = start(HEEDS)
    assert end_group(process.pid, started_at(process.pid), 10) is True
    assert process.wait() == -signal.SIGTERM


def test_a_process_that_ignores_term_is_killed(start) -> None:
    process, _ = start(IGNORES)
    assert end_group(process.pid, started_at(process.pid), 0.05) is True
    assert process.wait() == -signal.SIGKILL


@pytest.mark.parametrize(("script", "grace"), [(HEEDS, 10), (IGNORES, 0.1)])
def test_the_whole_group_is_ended(start, script: str, grace: float) -> None:
    process, line = start(LEADS, script)
    child = int(line)
    moment = started_at(child)
    assert end_group(process.pid, started_at(process.pid), grace) is True
    assert not is_alive(child, moment)


def test_the_grace_is_for_the_whole_group(start, tmp_path: Path) -> None:
    process, _line = start(LEADS, TIDIES, str(tmp_path / "tidied"))
    assert end_group(process.pid, started_at(process.pid), 10) is True
    assert (tmp_path / "tidied").exists()


def test_a_stranger_with_the_same_pid_is_left_alone(start) -> None:
    process, _ = start(HEEDS)
    assert end_group(process.pid, "another moment", 0) is False
    assert is_alive(process.pid, started_at(process.pid))


def test_a_member_of_another_group_is_ended_alone(start) -> None:
    process, line = start(LEADS, HEEDS)
    child = int(line)
    assert end_group(child, started_at(child), 10) is True
    assert is_alive(process.pid, started_at(process.pid))


def test_nobody_ends_itself_or_its_own_group() -> None:
    for pid in (os.getpid(), os.getpgrp()):
        assert end_group(pid, start_time(pid) or "gone", 0) is False
