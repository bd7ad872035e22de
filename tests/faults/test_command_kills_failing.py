"""A store that fails under a whole command: one sentence, or a close that waits; then all is there once."""

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


def failures(folder, *arguments):
    """Fail at each write in turn, until something is found or the command comes through unhurt."""
    ran = subprocess.run(
        [sys.executable, "-m", "support.command_kills_failing", folder, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=_TESTS,
    )
    assert ran.returncode == 0, ran.stderr[-4000:]
    found = json.loads(ran.stdout)
    print(arguments, found)
    return found


def test_log_asks_again_where_it_got_no_answer_and_stores_it_once(memory_folder):
    assert failures(memory_folder, "log")["done"] >= 20


def test_log_says_in_one_sentence_what_stays_full_and_stores_it_once_at_the_next_try(memory_folder):
    assert failures(memory_folder, "log", "--error", "full", "--sticky")["refused"] >= 20


def test_a_close_that_fails_once_is_tried_again_or_waits_in_the_spool(memory_folder):
    assert failures(memory_folder, "close", "--every", 2)["failures"] >= 12


def test_a_close_that_the_store_never_takes_is_stored_once_by_the_next_command(memory_folder):
    given = ("close", "--error", "full", "--sticky", "--every", 2)
    assert failures(memory_folder, *given)["spooled"] >= 12


def test_a_disk_too_full_for_the_spool_leaves_the_handoff_on_its_desk(memory_folder):
    given = ("full", "--error", "full", "--sticky", "--every", 2)
    assert failures(memory_folder, *given)["refused"] >= 12


def test_a_write_that_fails_anywhere_in_a_run_leaves_its_task_to_the_next_one(memory_folder):
    assert failures(memory_folder, "run", "--sticky", "--every", 3)["failures"] >= 20


@pytest.mark.parametrize("stays", [(), ("--sticky",)])
def test_a_close_without_an_answer_from_the_server_is_stored_once(
    memory_folder, postgres_url, stays
):
    given = ("close", "--server", postgres_url, "--when", "after", "--every", 3, *stays)
    assert failures(memory_folder, *given)["spooled"] >= 8


@pytest.mark.faults
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("error", ["io", "full"])
@pytest.mark.parametrize("name", ["log", "run", "close", "full"])
@pytest.mark.parametrize("stays", [(), ("--sticky",)])
def test_a_disk_that_fails_anywhere_in_a_command(memory_folder, error, name, stays):
    assert failures(memory_folder, name, "--error", error, *stays)["failures"] >= 30


@pytest.mark.faults
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", ["log", "run"])
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("stays", [(), ("--sticky",)])
def test_a_server_that_fails_anywhere_in_a_command(memory_folder, postgres_url, name, when, stays):
    found = failures(memory_folder, name, "--server", postgres_url, "--when", when, *stays)
    assert found["refused"] >= 20
