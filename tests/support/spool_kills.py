"""Kill a process inside every file operation of the spool, reopen, and count what is lost or left.

`python spool_kills.py FOLDER [control]` prints one JSON object. The control forgets lines before
they are taken, which must show as a loss.
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import sys
from pathlib import Path

from killer import Killer

from agentjournal.system.spool import Spool

FILES = ("open", "write", "fsync", "rename", "replace", "unlink", "ftruncate", "mkdir", "close")
MOMENTS = ("before", "torn")


class Forgetful(Spool):
    """The control: unlinks what it is about to hand over."""

    def _read(self, file):
        read = super()._read(file)
        self._forget(file)
        return read


def take_into(store: Path):
    """Store each line under its id, which is idempotent, and note each handing over."""

    def take(lines) -> None:
        for line in lines:
            with (store / line["id"]).open("a") as file:
                file.write("x")

    return take


def work(spool: Spool, store: Path, acknowledged: int) -> None:
    """Append, drain, append: each acknowledged line is noted outside of the spool."""
    for number in range(3):
        spool.append({"id": f"line{number}", "log": "x" * 50})
        os.write(acknowledged, f"line{number}\n".encode())
    spool.drain(take_into(store))
    spool.append({"id": "line3"})
    os.write(acknowledged, b"line3\n")


def attempt(folder: Path, turn: int, moment: str, kind: type[Spool]) -> dict[str, int | bool]:
    """Kill one process in its n-th operation; then look at what a new one finds."""
    store = folder / "store"
    store.mkdir(parents=True)
    numbers = itertools.count()
    spool = kind(folder / "spool", lambda: f"{next(numbers):04d}")
    notes = os.open(folder / "acknowledged", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    original = os.write
    child = os.fork()
    if child == 0:
        try:
            Killer(turn, moment, FILES)
            counted = os.write
            os.write = lambda fd, data: (original if fd == notes else counted)(fd, data)
            work(spool, store, notes)
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert status in {0, signal.SIGKILL}, "the work itself failed"
    os.close(notes)
    spool = kind(folder / "spool", lambda: f"later{next(numbers)}")
    spool.append({"id": "afterwards"})
    spool.drain(take_into(store))
    spool.drain(take_into(store))
    return found(folder, store, is_clean=status == 0)


def found(folder: Path, store: Path, *, is_clean: bool) -> dict[str, int | bool]:
    """Compare what was acknowledged with what arrived."""
    acknowledged = {*(folder / "acknowledged").read_text().split(), "afterwards"}
    arrived = {path.name: path.stat().st_size for path in store.iterdir()}
    spool = folder / "spool"
    return {
        "clean": is_clean,
        "lost": len(acknowledged - arrived.keys()),
        "foreign": len(arrived.keys() - {"line0", "line1", "line2", "line3", "afterwards"}),
        "left": len(list(spool.glob("*.jsonl"))),
        "again": sum(times > 1 for times in arrived.values()),
    }


def main() -> None:
    """Go through every operation and moment, each time in a new folder."""
    root, kind = Path(sys.argv[1]), Forgetful if "control" in sys.argv else Spool
    totals = {"kills": 0, "lost": 0, "foreign": 0, "left": 0, "again": 0}
    for moment in MOMENTS:
        for turn in itertools.count(1):
            result = attempt(root / f"{moment}{turn}", turn, moment, kind)
            for name in totals.keys() & result.keys():
                totals[name] += result[name]
            if result["clean"]:
                break
            totals["kills"] += 1
    print(json.dumps(totals))


if __name__ == "__main__":
    main()
