"""Which process is meant: this host, this boot, this pid, started at this moment."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

__all__ = ["boot_id", "end_group", "host_name", "is_alive", "start_time"]

_LOOK_AGAIN = 0.02


def host_name() -> str:
    """Give this machine's name."""
    return socket.gethostname()


def boot_id() -> str:
    """Give what changes at every boot of this machine, and at nothing else."""
    if sys.platform == "linux":
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return _answer("/usr/sbin/sysctl", "-n", "kern.bootsessionuuid")


def start_time(pid: int) -> str | None:
    """Give when the process was started, in its system's own words; None where none lives.

    A process that ended and was not yet waited for counts as gone.
    """
    if pid <= 0:
        return None
    return _proc_start(pid) if sys.platform == "linux" else _ps_start(pid)


def is_alive(pid: int, started: str) -> bool:
    """Say whether exactly that process still lives: a pid alone may have a new owner."""
    return start_time(pid) == started


def end_group(pid: int, started: str, grace: float) -> bool:
    """End the process and its group: TERM, so many seconds of grace for all of it, then KILL.

    Nothing is sent where the start time differs, so no stranger is hit, nor to the caller's own
    group; of a process that leads no group only the process itself is ended. Gives whether there
    was such a process, now gone.
    """
    if not is_alive(pid, started) or pid in {os.getpid(), os.getpgrp()}:
        return False
    leads = _leads_a_group(pid)
    for number, seconds in ((signal.SIGTERM, grace), (signal.SIGKILL, max(grace, 5.0))):
        _send(pid, number, to_group=leads)
        if _ended_within(pid, started, seconds, with_group=leads):
            return True
    return False


def _proc_start(pid: int) -> str | None:
    fields = _stat(pid)
    return fields[19].decode("ascii") if fields else None


def _stat(pid: int) -> list[bytes]:
    """Give a running process's fields from its state on; nothing for one that ended."""
    try:
        line = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return []
    fields = line[line.rindex(b")") + 2 :].split()  # the name before may hold anything
    return [] if fields[0] in {b"Z", b"X"} else fields


def _ps_start(pid: int) -> str | None:
    state, _, started = _answer("/bin/ps", "-o", "stat=,lstart=", "-p", str(pid)).partition(" ")
    return None if state.startswith("Z") else started.strip() or None


def _answer(*command: str) -> str:
    done = subprocess.run(  # noqa: S603 - fixed programs of the system
        command, capture_output=True, check=False, env={"LC_ALL": "C", "TZ": "UTC"}
    )
    return done.stdout.decode(errors="replace").strip()


def _leads_a_group(pid: int) -> bool:
    try:
        return os.getpgid(pid) == pid
    except ProcessLookupError:
        return False


def _send(pid: int, number: signal.Signals, *, to_group: bool) -> None:
    try:
        if to_group:
            os.killpg(pid, number)
        else:
            os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        return  # nobody is left, or (macOS) only zombies are


def _ended_within(pid: int, started: str, seconds: float, *, with_group: bool) -> bool:
    end = time.monotonic() + seconds
    while is_alive(pid, started) or (with_group and _has_members(pid)):
        if time.monotonic() >= end:
            return False
        time.sleep(_LOOK_AGAIN)
    return True


def _has_members(group: int) -> bool:
    """Say whether anybody of the group still runs; zombies, which a signal would find, do not."""
    if sys.platform == "linux":
        pids = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())
        return any(fields[2] == b"%d" % group for fields in map(_stat, pids) if fields)
    lines = (line.split() for line in _answer("/bin/ps", "-A", "-o", "pgid=,stat=").splitlines())
    return any(number == str(group) and not state.startswith("Z") for number, state in lines)
