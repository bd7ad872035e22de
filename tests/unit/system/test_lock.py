from __future__ import annotations

import fcntl
import os
import signal
import threading
from itertools import groupby
from typing import TYPE_CHECKING

import pytest

from agentjournal.errors import StoreBusyError, StoreUnavailableError
from agentjournal.system.lock import LockTimeout, ProcessLock
from support.scripted import start

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

HOLDER = """
import sys
from pathlib import Path
from agentjournal.system.lock import ProcessLock
with ProcessLock(Path(sys.argv[1])).hold(10):
    print("held", flush=True)
    sys.stdin.read()
"""
IN_A_ROW = (
    6  # between 1 to 3 of a fair queue, on a busy machine too, and 14 or more of an unfair one
)
TURNS = """
import sys, time
from pathlib import Path
from agentjournal.system.lock import ProcessLock
lock, number, tally = ProcessLock(Path(sys.argv[1])), sys.argv[2], open(sys.argv[3], "a")
print("ready", flush=True)
sys.stdin.readline()
end = time.monotonic() + float(sys.argv[4])
while time.monotonic() < end:
    with lock.hold(20):
        tally.write(number)
        tally.flush()
"""


def finish(process: subprocess.Popen[str]) -> None:
    process.communicate("\n")


def test_a_second_process_is_refused_after_its_wait_and_told_who_holds(tmp_path: Path) -> None:
    path = tmp_path / "queue.lock"
    holder = start(HOLDER, path)
    with pytest.raises(LockTimeout) as refusal, ProcessLock(path).hold(0.05):
        pass
    finish(holder)
    assert refusal.value.holder_pid == holder.pid
    assert f"store busy, held by pid {holder.pid}" in str(refusal.value)
    assert isinstance(refusal.value, StoreBusyError)


def test_a_wait_left_behind_does_not_keep_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "queue.lock"
    lock = ProcessLock(path)
    holder = start(HOLDER, path)
    for _ in range(20):
        with pytest.raises(LockTimeout), lock.hold(0.01):
            pass
    finish(holder)
    for _ in range(50):
        with lock.hold(10):
            pass
    assert lock_threads() == 0


def lock_threads() -> int:
    for thread in threading.enumerate():
        if thread.name == "lock":
            thread.join(10)
    return sum(thread.name == "lock" for thread in threading.enumerate())


def test_the_lock_is_free_once_its_holder_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "queue.lock"
    holder = start(HOLDER, path)
    os.kill(holder.pid, signal.SIGKILL)
    with ProcessLock(path).hold(10):
        assert int(path.read_text()) == os.getpid()
    finish(holder)


def test_the_wait_ends_as_soon_as_the_holder_leaves(tmp_path: Path) -> None:
    path = tmp_path / "queue.lock"
    holder = start(HOLDER, path)
    threading.Thread(target=finish, args=[holder]).start()
    with ProcessLock(path).hold(10):
        pass


def test_waiting_asks_the_kernel_once_or_twice_and_never_in_a_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "queue.lock"
    holder = start(HOLDER, path)
    asked: list[int] = []
    flock = fcntl.flock

    def counted(descriptor: int, operation: int) -> None:
        asked.append(operation)
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", counted)
    with pytest.raises(LockTimeout), ProcessLock(path).hold(1.0):
        pass
    assert len(asked) <= 6
    finish(holder)


def test_threads_of_one_process_exclude_each_other(tmp_path: Path) -> None:
    lock = ProcessLock(tmp_path / "queue.lock")
    inside: list[int] = []
    most: list[int] = []

    def work() -> None:
        for _ in range(50):
            with lock.hold(20):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most) == 1
    assert len(most) == 200


def turns_in_a_row(script: str, folder: Path) -> float:
    """Give how many turns a process takes in a row, on average, while four never pause."""
    path, tally = folder / "queue.lock", folder / "tally"
    processes = [start(script, path, number, tally, 1.5) for number in range(4)]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    for process in processes:
        process.wait()
        finish(process)
    turns = tally.read_text()
    numbers = [str(number) for number in range(4)]
    # Only while all four are there: a busy machine may let one begin late.
    begin = max(turns.index(number) for number in numbers)
    together = turns[begin : min(turns.rindex(number) for number in numbers) + 1]
    assert len(together) >= 20
    return len(together) / sum(1 for _ in groupby(together))


def test_processes_that_never_pause_take_turns(tmp_path: Path) -> None:
    assert turns_in_a_row(TURNS, tmp_path) < IN_A_ROW


def test_without_a_yield_after_unlocking_one_process_takes_many_turns_in_a_row(
    tmp_path: Path,
) -> None:
    unfair = TURNS.replace("import sys", "import os; os.sched_yield = lambda: None; import sys", 1)
    assert turns_in_a_row(unfair, tmp_path) > IN_A_ROW


def test_an_error_inside_frees_the_lock(tmp_path: Path) -> None:
    lock = ProcessLock(tmp_path / "queue.lock")
    with pytest.raises(ZeroDivisionError), lock.hold(1):
        1 / 0  # noqa: B018
    with lock.hold(0):
        pass


def test_a_removed_lock_file_divides_nobody(tmp_path: Path) -> None:
    path = tmp_path / "queue.lock"
    holder = start(HOLDER, path)
    got: list[bool] = []

    def wait() -> None:
        with ProcessLock(path).hold(10):
            got.append(path.exists())

    waiting = threading.Thread(target=wait)
    waiting.start()
    path.unlink()
    finish(holder)
    waiting.join()
    assert got == [True]


def test_a_symbolic_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "queue.lock").symlink_to(tmp_path / "elsewhere")
    lock = ProcessLock(tmp_path / "queue.lock")
    with pytest.raises(StoreUnavailableError, match=r"queue\.lock"), lock.hold(1):
        pass
    assert not (tmp_path / "elsewhere").exists()
