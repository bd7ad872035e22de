"""F8: whoever dies in the spool, wherever, loses no acknowledged line and leaves none behind."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from support.scripted import start

SUPPORT = Path(__file__).parent.parent / "support"
DRAINER = """
import itertools, os, sys
from pathlib import Path
from agentjournal.system.spool import Spool
numbers = itertools.count()
spool = Spool(Path(sys.argv[1]), lambda: f"{next(numbers):06d}-{os.getpid()}")
out = open(sys.argv[2], "a")
def take(lines):
    out.write("".join(line["id"] + "\\n" for line in lines))
print("ready", flush=True)
while not Path(sys.argv[3]).exists():
    spool.drain(take)
spool.drain(take)
out.close()
"""
APPENDER = """
import os, sys
from pathlib import Path
from agentjournal.system.spool import Spool
spool = Spool(Path(sys.argv[1]), lambda: "unused")
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[2])):
    spool.append({"id": f"{os.getpid()}-{number}"}, timeout=60)
"""


def kills(folder: Path, *arguments: str) -> dict[str, int]:
    run = subprocess.run(
        [sys.executable, SUPPORT / "spool_kills.py", folder, *arguments],
        check=True,
        capture_output=True,
        text=True,
    )
    print(run.stdout)
    return json.loads(run.stdout)


def test_a_kill_inside_every_operation_loses_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    totals = kills(tmp_path)
    assert totals["kills"] >= 70
    assert (totals["lost"], totals["foreign"], totals["left"]) == (0, 0, 0)
    assert 0 < totals["again"] < totals["kills"]  # handed over again only after a kill in between


def test_the_control_that_forgets_before_it_hands_over_loses_lines(tmp_path: Path) -> None:
    assert kills(tmp_path, "control")["lost"] > 0


def test_two_drainers_and_two_writers_at_once_hand_each_line_over_once(tmp_path: Path) -> None:
    spool, stop = tmp_path / "spool", tmp_path / "stop"
    outputs = [tmp_path / f"taken{number}" for number in range(2)]
    drainers = [start(DRAINER, spool, output, stop) for output in outputs]
    appenders = [start(APPENDER, spool, 200) for _ in range(2)]
    for appender in appenders:
        appender.communicate("\n")
    stop.touch()
    for drainer in drainers:
        drainer.communicate()
    taken = [Counter(output.read_text().split()) for output in outputs]
    total = taken[0] + taken[1]
    assert {process.returncode for process in (*drainers, *appenders)} == {0}
    assert total == Counter(
        f"{appender.pid}-{number}" for appender in appenders for number in range(200)
    )
    assert all(taken), "one drainer did all the work"
    assert list(spool.glob("*.jsonl")) == []
