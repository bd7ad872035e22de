"""A worker of the kill tests: `python -I -S command_kills_worker.py OUTSIDE`, its brief on stdin.

It writes down, outside of the store, when it began and that it handed off; the lock of its task
tells whether another worker was at the same task. It writes the task's file, then its handoff under
a word that nobody else uses. It works for WORK seconds; named in LINGER, until it is ended.
WRAPPER_DIES says where it kills the process that waits for it: at its `begin`, with `half` its
handoff written, or once it has `handed` it off. It imports little: it is started thousands of times.
"""

import fcntl
import os
import signal
import sys
import time

OUTSIDE = sys.argv[1]
TASK = os.environ["AGENTJOURNAL_TASK"]
HANDOFF = os.environ["AGENTJOURNAL_HANDOFF"]
LONGEST = 20.0  # seconds that a forgotten worker stays
FORM = (
    '{"result": "success", "action": "Made TASK as WORD", "current_state": "TASK.txt says WORD.",'
    ' "touches": [{"kind": "file", "name": "TASK.txt"}]}'
)


def write(path, text, flags=os.O_TRUNC):
    """Write in one go."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | flags, 0o600)
    os.write(file, text.encode())
    os.close(file)


def note(*words):
    """Append one line to what is known outside."""
    write(f"{OUTSIDE}/ledger", f"{' '.join(map(str, words))}\n", os.O_APPEND)


def is_alone():
    """Hold the task's lock for as long as this process lives."""
    lock = os.open(f"{OUTSIDE}/{TASK}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def kills_wrapper(moment):
    """Kill the wrapper, if this is when it shall die."""
    is_due = os.environ.get("WRAPPER_DIES") == moment
    if is_due:
        os.kill(os.getppid(), signal.SIGKILL)
    return is_due


def hand_off(word):
    """Leave a valid handoff, whole or not at all."""
    form = FORM.replace("TASK", TASK).replace("WORD", word)
    if os.environ.get("WRAPPER_DIES") == "half":
        write(HANDOFF, form[: len(form) // 2])
        kills_wrapper("half")
        time.sleep(LONGEST)
    write(f"{HANDOFF}.draft", form)
    os.rename(f"{HANDOFF}.draft", HANDOFF)  # noqa: PTH104 - pathlib takes long to import


def main():
    """Work, and leave word of it."""
    note("begin" if is_alone() else "overlap", TASK, os.getpid())
    if kills_wrapper("begin") or os.environ.get("LINGER") == TASK:
        time.sleep(LONGEST)
    time.sleep(float(os.environ.get("WORK", "0")))
    word = f"word{os.urandom(4).hex()}"
    write(f"{TASK}.txt", f"{word}\n")
    hand_off(word)
    note("handed", TASK, word)
    kills_wrapper("handed")


if __name__ == "__main__":
    main()
