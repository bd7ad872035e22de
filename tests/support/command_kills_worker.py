"""A worker of the kill tests: `python -I -S command_kills_worker.py OUTSIDE`, its brief on stdin.

It writes down, outside of the store, when it began and that it handed off; the lock of its task
tells whether another worker was at the same task. It writes the task's file, then its handoff under
a word that nobody else uses. It works for WORK seconds; named in LINGER, until it is ended.
WRAPPER_DIES says where it kills the process that waits for it: at its `begin`, with `half` its
handoff written, or once it has `handed` it off.
"""

import fcntl
import json
import os
import signal
import sys
import time
from pathlib import Path

OUTSIDE = Path(sys.argv[1])
TASK = os.environ["AGENTJOURNAL_TASK"]
HANDOFF = Path(os.environ["AGENTJOURNAL_HANDOFF"])
LONGEST = 20.0  # seconds that a forgotten worker stays


def note(*words: object) -> None:
    """Append one line, in one write."""
    ledger = os.open(OUTSIDE / "ledger", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.write(ledger, f"{' '.join(map(str, words))}\n".encode())
    os.close(ledger)


def is_alone() -> bool:
    """Hold the task's lock for as long as this process lives."""
    lock = os.open(OUTSIDE / f"{TASK}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def is_to_kill(moment: str) -> bool:
    """Kill the wrapper, if this is when it shall die."""
    is_due = os.environ.get("WRAPPER_DIES") == moment
    if is_due:
        os.kill(os.getppid(), signal.SIGKILL)
    return is_due


def hand_off(word: str) -> None:
    """Leave a valid handoff, whole or not at all."""
    form = {
        "result": "success",
        "action": f"Made {TASK} as {word}",
        "current_state": f"{TASK}.txt says {word}.",
        "touches": [{"kind": "file", "name": f"{TASK}.txt"}],
    }
    text = json.dumps(form)
    if os.environ.get("WRAPPER_DIES") == "half":
        HANDOFF.write_text(text[: len(text) // 2], encoding="utf-8")
        is_to_kill("half")
        time.sleep(LONGEST)
    draft = HANDOFF.with_suffix(".draft")
    draft.write_text(text, encoding="utf-8")
    draft.replace(HANDOFF)


def main() -> None:
    """Work, and leave word of it."""
    note("begin" if is_alone() else "overlap", TASK, os.getpid())
    if is_to_kill("begin") or os.environ.get("LINGER") == TASK:
        time.sleep(LONGEST)
    time.sleep(float(os.environ.get("WORK", "0")))
    word = f"word{os.urandom(4).hex()}"
    Path(f"{TASK}.txt").write_text(f"{word}\n", encoding="utf-8")
    hand_off(word)
    note("handed", TASK, word)
    is_to_kill("handed")


if __name__ == "__main__":
    main()
