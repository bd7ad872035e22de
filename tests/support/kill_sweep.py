"""Kills processes at each operation that they do below SQLite: `python -m support.kill_sweep`.

It forks a worker for each kill, so that nothing is imported twice, keeps the store across kills,
checks it after each one, and prints what it counted as JSON. Operations are counted from 1 until a
worker comes through unharmed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import time
import traceback
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from agentjournal.storage import sqlite_file
from agentjournal.storage.sqlite import Sqlite
from support.ledger import Acknowledgements, faults, make, store
from support.vfs import WHENS, FaultVfs, Kill

if TYPE_CHECKING:
    from collections.abc import Callable

_SHORT_LOG = 40_000
_ENTRIES = 4
_MARK = "untouched"


def work(folder: Path, worker: int, plan: Kill, entries: int, *, is_hasty: bool = False) -> None:
    """Store what was tried and not acknowledged, then some more; rewrite a file that is small.

    A hasty worker acknowledges before it stores: the control, which must be found losing.
    """
    vfs = FaultVfs("faults", plan)
    sqlite_file._LOG_BYTES = _SHORT_LOG
    database = Sqlite(str(folder / "store" / "log.db"), vfs="faults")
    told = Acknowledgements(folder / f"told-{worker}")
    make(database)
    tried = told.all("try")
    unanswered = sorted({*tried} - {*told.all("ack")})
    fresh = [f"{worker}.{len(tried) + n}" for n in range(entries)]
    for entry in (*unanswered, *fresh):
        if entry in fresh:
            told.write("try", entry)
        if is_hasty:
            told.write("ack", entry)
        store(database, entry, size=9000 if entry.endswith("3") else 600)
        told.write("ack", entry)
    if entries == 1:
        database.compact()
    database.close()
    del vfs


def started(task: Callable[[], None]) -> int:
    """Fork a worker and give its pid."""
    pid = os.fork()
    if pid:
        return pid
    try:
        task()
        os._exit(0)
    except BaseException:  # noqa: BLE001 - a forked worker must not go on as its parent
        traceback.print_exc()
        os._exit(3)


def is_killed(pid: int) -> bool:
    """Wait for the worker and say whether it was killed, as planned; any other end is a fault."""
    status = os.waitpid(pid, 0)[1]
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return True
    if status != 0:
        sys.exit(f"a worker ended with {status}")
    return False


def check(folder: Path) -> float:
    """Reopen the store, as anybody would, see that all is there; give the seconds of reopening."""
    if not (folder.parent / _MARK).exists() and not (folder / _MARK).exists():
        sys.exit(f"{folder} was cleared by somebody else: this run proves nothing")
    acknowledged = [e for told in folder.glob("told-*") for e in Acknowledgements(told).all("ack")]
    begun = time.monotonic()
    database = Sqlite(str(folder / "store" / "log.db"))
    with database.snapshot() as reader:
        reader.tables()
    reopening = time.monotonic() - begun
    found = faults(database, acknowledged)
    database.close()
    if found:
        sys.exit(f"{folder}: {found} of {len(acknowledged)} acknowledged")
    return reopening


def sweep(folder: Path, *, is_fresh: bool, is_hasty: bool) -> tuple[int, float]:
    """Kill around every operation; a store of its own for each kill where `is_fresh`."""
    kills, slowest = 0, 0.0
    for when in WHENS:
        for at in count(1):
            here = folder / (f"{when}-{at}" if is_fresh else "kept")
            here.mkdir(exist_ok=True)
            entries = 1 if is_fresh else _ENTRIES
            task = partial(work, here, 0, Kill(at, when), entries, is_hasty=is_hasty)
            was_killed = is_killed(started(task))
            slowest = max(slowest, check(here))
            if not was_killed:
                break
            kills += 1
    return kills, slowest


def at_random(folder: Path, *, processes: int, rounds: int, seed: int) -> tuple[int, float]:
    """Kill several workers at one store, each somewhere."""
    kills, slowest = 0, 0.0
    chance = random.Random(seed)  # noqa: S311 - to be repeated
    for _ in range(rounds):
        plans = [Kill(chance.randint(1, 120), chance.choice(WHENS)) for _ in range(processes)]
        pids = [
            started(partial(work, folder, worker, plan, _ENTRIES))
            for worker, plan in enumerate(plans)
        ]
        kills += sum([is_killed(pid) for pid in pids])
        slowest = max(slowest, check(folder))
    return kills, slowest


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--hasty", action="store_true")
    parser.add_argument("--processes", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    (given.folder / _MARK).touch()
    if given.processes:
        counted = at_random(
            given.folder, processes=given.processes, rounds=given.rounds, seed=given.seed
        )
    else:
        counted = sweep(given.folder, is_fresh=given.fresh, is_hasty=given.hasty)
    print(json.dumps({"kills": counted[0], "slowest_reopening": counted[1]}))
