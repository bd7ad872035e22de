"""Another process that records into an owner's journal: `python -m support.lane_child LOCATION NAME COUNT`.

It prints `ready` once the store is open, begins when its input says so, and checks that each of its
renders extends the one before, whatever others record meanwhile.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from agentjournal.journal.prefix import check_prefix_extension
from agentjournal.lanes.kept import KeptJournal
from agentjournal.storage.open import open_database
from support.lanes import OWNER, Writer, lane_log

_TESTS = Path(__file__).parent.parent


def start(location: str, name: str, count: int) -> subprocess.Popen[str]:
    """Start such a process and wait until it is ready."""
    process = subprocess.Popen(
        [sys.executable, "-m", "support.lane_child", location, name, str(count)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=_TESTS,
        env=os.environ | {"PYTHONPATH": f"{_TESTS}:{os.environ.get('PYTHONPATH', '')}"},
    )
    assert process.stdout.readline() == "ready\n"
    return process


def finish(process: subprocess.Popen[str]) -> list[str]:
    """Wait for its end and give what it said."""
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    return said.split()


def main(location: str, name: str, count: int) -> None:
    database = open_database(location)
    log, writer = lane_log(database), Writer(name)
    kept = KeptJournal(log, OWNER)
    print("ready", flush=True)
    sys.stdin.readline()
    before = kept.journal.render() if kept.journal.entries else ""
    for number in range(count):
        answer = writer.turn(log, f"{name} {number}", [("Ben", f"to {name}: {number}")], "noted")
        print(answer.n, flush=True)
        after = kept.journal.render()
        check_prefix_extension(before, after)
        before = after
    database.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
