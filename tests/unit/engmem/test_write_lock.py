from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from agentjournal.engmem.writing.lock import locked
from agentjournal.engmem.writing.refusal import WriteRefused

NAME = ".a-b.md.write-lock"
HOLDER = """
import os, sys
from agentjournal.engmem.writing.lock import locked
with locked(os.open(sys.argv[1], os.O_RDONLY), "a-b"):
    print("held", flush=True)
    sys.stdin.read()
"""


def names(folder):
    return [path.name for path in folder.iterdir()]


@pytest.fixture
def folder(tmp_path):
    descriptor = os.open(tmp_path, os.O_RDONLY)
    yield descriptor
    os.close(descriptor)


@pytest.fixture
def holder(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    yield process
    process.kill()
    process.communicate()


def test_a_lock_stands_while_it_is_held_and_is_gone_afterwards(tmp_path, folder):
    with locked(folder, "a-b"):
        assert names(tmp_path) == [NAME]
        assert (tmp_path / NAME).read_text().split()[0] == str(os.getpid())
    assert names(tmp_path) == []


def test_a_lock_is_gone_after_a_failure_too(tmp_path, folder):
    with pytest.raises(ZeroDivisionError), locked(folder, "a-b"):
        raise ZeroDivisionError
    assert names(tmp_path) == []


def test_whoever_waits_in_vain_is_told_who_holds_it(folder, holder):
    with pytest.raises(WriteRefused) as refused, locked(folder, "a-b", wait=0.05):
        pass
    assert f"is being written by process {holder.pid} — nothing was written" in str(refused.value)
    assert str(refused.value).endswith(f"remove sessions/{NAME}.")


def test_the_lock_of_a_dead_process_is_taken_over_at_once(tmp_path, folder, holder):
    holder.kill()
    holder.wait()
    assert names(tmp_path) == [NAME]
    with locked(folder, "a-b", wait=0):
        pass
    assert names(tmp_path) == []


def test_the_lock_of_another_tool_is_respected_and_named(tmp_path, folder):
    (tmp_path / NAME).mkdir()
    with pytest.raises(WriteRefused, match="another process"), locked(folder, "a-b", wait=0.05):
        pass
    assert (tmp_path / NAME).is_dir()


def test_other_tools_find_the_lock_taken(tmp_path, folder):
    with locked(folder, "a-b"), pytest.raises(FileExistsError):
        (tmp_path / NAME).mkdir()


def test_other_documents_are_not_waited_for(folder):
    with locked(folder, "a-b"), locked(folder, "c-d", wait=0):
        pass


def test_only_one_of_many_is_inside(folder):
    inside, most, done = [0], [0], []

    def enter():
        for _ in range(20):
            with locked(folder, "a-b", wait=60):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                inside[0] -= 1
        done.append(True)

    threads = [threading.Thread(target=enter) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(done), most[0]) == (4, 1)
