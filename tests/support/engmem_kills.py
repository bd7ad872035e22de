"""Kill a process inside every file operation of saving a document, go on, and look for a third state.

`python engmem_kills.py FOLDER [control]` prints one JSON object. The control writes in place, which
must show as a document that is neither the old nor the new one.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import sys
from pathlib import Path

from killer import Killer

from agentjournal.engmem.document import version_of
from agentjournal.engmem.writing import completing, superseding
from agentjournal.engmem.writing.creating import create_draft
from agentjournal.engmem.writing.lock import locked
from agentjournal.engmem.writing.spine_lines import with_fields

FILES = (
    "open", "write", "pwrite", "fsync", "fchmod", "link", "rename", "replace", "unlink", "mkdir",
    "close",
)  # fmt: skip
MOMENTS = ("before", "torn")

ID, NAME = "20261130-retry", "20261130-retry.md"
HEAD = f"---\nid: {ID}\nmode: daily\nstatus: {{}}\n---\n"
DRAFT = HEAD.format("draft").encode()
DONE = (HEAD.format("active") + "## Decision Log\n" + "Jitter. " * 2000 + "\n").encode()
LAST = with_fields(DONE, {"status": "superseded", "superseded_by": "b-x"})
STATES = (None, DRAFT, DONE, LAST)


def state_of(root: Path) -> int:
    """Say which state the document is in; -1 is one that nobody wrote."""
    try:
        found = (root / "sessions" / NAME).read_bytes()
    except FileNotFoundError:
        return 0
    return STATES.index(found) if found in STATES else -1


def work(root: Path, start: int, acknowledge) -> None:
    """Do what is left from a state on: create, complete, supersede."""
    steps = (
        lambda: create_draft(root, ID, DRAFT, mode="daily"),
        lambda: completing.complete_draft(root, ID, DONE, version_of(DRAFT)),
        lambda: superseding.mark_superseded(root, ID, "b-x", version_of(DONE)),
    )
    for number, step in enumerate(steps[start:], start + 1):
        step()
        acknowledge(number)


@contextlib.contextmanager
def held_now(root: Path):
    """Take the document's lock without any wait: what a dead process left does not hold it."""
    folder = os.open(root / "sessions", os.O_RDONLY)
    with locked(folder, ID, wait=0):
        yield
    os.close(folder)


def in_place(folder: int, name: str, data: bytes, _mode: int = 0o600) -> None:
    """The control: truncate and write."""
    descriptor = os.open(name, os.O_WRONLY | os.O_TRUNC, dir_fd=folder)
    os.write(descriptor, data)
    os.close(descriptor)


def attempt(root: Path, turn: int, moment: str) -> dict[str, int | bool]:
    """Kill one process in its n-th operation; then look at what a new one finds, and go on."""
    (root / "sessions").mkdir(parents=True)
    reading, writing = os.pipe()
    write = os.write
    child = os.fork()
    if child == 0:
        try:
            Killer(turn, moment, FILES)
            work(root, 0, lambda number: write(writing, bytes([number])))
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    os.close(writing)
    acknowledged = max(os.read(reading, 9), default=0)
    os.close(reading)
    assert status in {0, signal.SIGKILL}, "the work itself failed"
    state = state_of(root)
    if state >= 0:
        work(root, state, lambda _: None)
    with held_now(root):
        pass
    left = {path.name for path in (root / "sessions").iterdir()} - {NAME}
    return {
        "clean": status == 0,
        "third": state < 0,
        "lost": 0 <= state < acknowledged,
        "unfinished": state >= 0 and state_of(root) != len(STATES) - 1,
        "visible": sum(not name.startswith(".") or name.endswith(".md") for name in left),
        "locked": any(name.endswith("lock") for name in left),
        "litter": len(left),
    }


def main() -> None:
    """Go through every operation and moment, each time in a new folder."""
    root = Path(sys.argv[1])
    if "control" in sys.argv:
        completing.put_over = superseding.put_over = in_place
    kinds = ("third", "lost", "unfinished", "visible", "locked", "litter")
    totals = dict.fromkeys(("kills", *kinds), 0)
    for moment in MOMENTS:
        for turn in itertools.count(1):
            result = attempt(root / f"{moment}{turn}", turn, moment)
            for name in kinds:
                totals[name] += int(result[name])
            if result["clean"]:
                break
            totals["kills"] += 1
    print(json.dumps(totals))


if __name__ == "__main__":
    main()
