"""The moments of one process, counted; it dies by SIGKILL around one of them.

    Moments(at=7, when="torn", note=folder / "died-at").watch()

A moment is a change to a file below SQLite, a round trip to PostgreSQL, a change to a file of the
spool, the desk or a lock, or a turn of a dispatch: claim, spawn, set_worker, release, wait, hand in,
close. `torn` is half a write, a statement that was sent and not answered, a worker at work.
"""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import threading
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.waiting import Wait

from agentjournal.storage import sqlite
from support.vfs import FaultVfs

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from pathlib import Path

    from support.vfs import Operation, When

_FILE_CHANGES = (
    "open",
    "write",
    "pwrite",
    "fsync",
    "rename",
    "replace",
    "unlink",
    "rmdir",
    "mkdir",
    "ftruncate",
)
_ORCHESTRATOR = "agentjournal.orchestrator"
_TURNS = (
    (f"{_ORCHESTRATOR}.run", "open_attempt"),
    (f"{_ORCHESTRATOR}.run", "build_brief"),
    (f"{_ORCHESTRATOR}.run", "set_worker"),
    (f"{_ORCHESTRATOR}.run", "pick_up"),
    (f"{_ORCHESTRATOR}.run", "close_or_spool"),
    (f"{_ORCHESTRATOR}.worker.Worker", "start"),
    (f"{_ORCHESTRATOR}.worker.Worker", "release"),
    (f"{_ORCHESTRATOR}.worker.Worker", "wait"),
    (f"{_ORCHESTRATOR}.desk.Desk", "clear"),
    (f"{_ORCHESTRATOR}.reaping", "reap"),
    (f"{_ORCHESTRATOR}.loop", "escalate_blocked"),
)
WAIT = "turn wait"
SPAWN = "turn start"


@dataclass
class Moments:
    """Counts; at moment number `at` (0: never) notes which one it is, and dies."""

    at: int
    when: When
    note: Path
    is_at_work: Callable[[], bool] = lambda: True  # whether the worker has begun
    labels: list[str] = field(default_factory=list)
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _vfs: FaultVfs | None = None  # SQLite forgets one that nobody keeps

    def watch(self) -> Moments:
        """Watch everything that this process does from here on."""
        self._vfs = FaultVfs("faults", self)
        sqlite.Sqlite = partial(sqlite.Sqlite, vfs="faults")
        psycopg.Connection.wait = self._watched_trip(psycopg.Connection.wait)
        for name in _FILE_CHANGES:
            setattr(os, name, self._watched_change(name, getattr(os, name)))
        for where, name in _TURNS:
            place = _place(where)
            setattr(place, name, self._watched_turn(name, getattr(place, name)))
        popen = subprocess.Popen._execute_child
        subprocess.Popen._execute_child = self._watched_turn("spawned", popen)
        return self

    def tell(self) -> None:
        """Write down every moment of a process that was not killed; `*`: it can be torn."""
        self.note.write_text("\n".join(self.labels))

    def around(
        self, operation: Operation, perform: Callable[[], None], tear: Callable[[], None]
    ) -> None:
        """Count an operation below SQLite."""
        kind = operation.kind
        self.moment(f"{kind} {operation.file}", perform, tear if kind == "write" else None)

    def moment(
        self, label: str, perform: Callable[[], Any], tear: Callable[[], Any] | None = None
    ) -> Any:
        """Count one moment, and die around it if it is the one."""
        with self._lock:
            self.labels.append(label if tear is None else f"{label} *")
            is_due = len(self.labels) == self.at
        if not is_due:
            return perform()
        with self.note.open("w") as file:
            file.write(f"{self.when} {label}")
        if self.when == "torn" and tear is not None:
            tear()
        elif self.when == "after":
            perform()
        return self.die()

    @staticmethod
    def die() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def _watched_change(self, name: str, change: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(change)
        def watched(*given: Any, **named: Any) -> Any:
            if name == "open" and not given[1] & os.O_CREAT:
                return change(*given, **named)
            tear = partial(_half, change, given) if name == "write" and len(given[1]) > 1 else None
            return self.moment(f"file {name}", partial(change, *given, **named), tear)

        return watched

    def _watched_turn(self, name: str, turn: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(turn)
        def watched(*given: Any, **named: Any) -> Any:
            tear = self._until_at_work if name == "wait" else None
            return self.moment(f"turn {name}", partial(turn, *given, **named), tear)

        return watched

    def _watched_trip(self, wait: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(wait)
        def watched(
            connection: object,
            trip: Generator[Any, Any, Any],
            *given: Any,
            **named: Any,
        ) -> Any:
            return self.moment(
                f"trip {trip.__name__}",
                partial(wait, connection, trip, *given, **named),
                partial(wait, connection, self._sent(trip), *given, **named),
            )

        return watched

    def _sent(self, trip: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        """Go on until all is sent and an answer is waited for, then die."""
        try:
            wanted = next(trip)
            while wanted != Wait.R:
                wanted = trip.send((yield wanted))
        except StopIteration as end:
            return end.value
        return self.die()

    def _until_at_work(self) -> None:
        while not self.is_at_work():
            os.sched_yield()


def _half(write: Callable[[int, bytes], int], given: tuple[int, bytes]) -> None:
    write(given[0], given[1][: len(given[1]) // 2])


def _place(where: str) -> Any:
    """Give a module, or the class that the last word names."""
    if not where.rpartition(".")[2][0].isupper():
        return importlib.import_module(where)
    module, _, name = where.rpartition(".")
    return getattr(importlib.import_module(module), name)
