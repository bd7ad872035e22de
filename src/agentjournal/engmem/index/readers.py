"""Files read ahead by programs of their own, where they are many: one for each processor.

Whatever goes wrong there costs only time: what is not handed over is read in this process.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections import deque
from threading import Timer

from agentjournal.engmem.index.entry import Entry
from agentjournal.engmem.index.frames import receive, send
from agentjournal.engmem.index.reading import UNSEEN, Reader, Reading
from agentjournal.errors import DamagedError
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Self

    from agentjournal.engmem.index.reading import Known

    Asked = list[tuple[str, Known]]

__all__ = ["Readers"]

MANY = 500  # files: for fewer it is not worth it to start a program
CHUNK = 16  # files that are asked for at once: their answer is held in memory
PROGRAM = ("-P", "-m", "agentjournal.engmem.index.worker")  # nothing from where it is run
PATIENCE = 30.0  # seconds: less than others wait for an index that is being made
_FLAGS = {"isolated": "-I", "ignore_environment": "-E", "no_user_site": "-s", "no_site": "-S"}
_AHEAD = 2  # chunks that one is asked for: it never waits for a question
_PROGRAMS = 4  # at most: more would wait for the process that writes the index


class Readers:
    """Reads the files of a store, best in the order in which they were announced."""

    def __init__(self, root: Path, files: Asked, *, is_posting: bool) -> None:
        self._read = Reader(root, is_posting=is_posting)
        self._waiting = deque(files[at : at + CHUNK] for at in range(0, len(files), CHUNK))
        self._asked: deque[tuple[_Program, Asked]] = deque()
        self._ready: dict[str, tuple[Known, Reading]] = {}
        count = min(_processors(), _PROGRAMS) if len(files) > MANY else 0
        self._programs = _started(root, count) if count > 1 else []
        for program in self._programs * _AHEAD:
            self._ask(program)

    def __enter__(self) -> Self:
        """Stay until all is read."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the programs."""
        for program in self._programs:
            program.end()

    def __call__(self, file: str, known: Known) -> Reading:
        """Read a file, or give what was read of it ahead."""
        while self._asked and self._asked[0][1][0][0] <= file:
            self._receive()
        was_known, found = self._ready.pop(file, (None, None))
        is_right = found and found.signature != UNSEEN and was_known == known
        return found if found and is_right else self._read(file, known)

    def _ask(self, program: _Program) -> None:
        if self._waiting:
            files = self._waiting.popleft()
            program.ask(files)
            self._asked.append((program, files))

    def _receive(self) -> None:
        program, files = self._asked.popleft()
        for (file, known), reading in zip(files, program.answer(len(files)), strict=False):
            self._ready[file] = known, reading
        if program.is_sound:
            self._ask(program)


class _Program:
    """One that reads files, until it does anything else."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.is_sound = True

    def ask(self, files: Asked) -> None:
        """Ask for files; whether that could be done shows in the answer."""
        with contextlib.suppress(OSError, RuntimeError, ValueError), self._watched():
            if self._process.stdin:
                send(self._process.stdin, files)

    def answer(self, count: int) -> list[Reading]:
        """Wait for what so many files hold; nothing where that does not come."""
        try:
            with self._watched():
                rows = receive(self._process.stdout) if self._process.stdout else None
            found = [Reading(numbers, Entry(*entry), *rest) for numbers, entry, *rest in rows or []]  # type: ignore[attr-defined]  # what does not fit is caught below
        except (DamagedError, OSError, RuntimeError, TypeError, ValueError):
            found = []
        if len(found) == count:
            return found
        self.end()
        return []

    @contextlib.contextmanager
    def _watched(self) -> Iterator[None]:
        """Kill it where it hangs, which ends whatever is waited for.

        Raises:
            RuntimeError: there is no room for another thread.
        """
        timer = Timer(PATIENCE, self._process.kill)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def end(self) -> None:
        """End it at once: it holds nothing that is not to be had again."""
        self.is_sound = False
        self._process.kill()
        for pipe in filter(None, (self._process.stdin, self._process.stdout)):
            with contextlib.suppress(OSError):
                pipe.close()
        self._process.wait()


def _started(root: Path, count: int) -> list[_Program]:
    """Start so many, or as many as can be; in a program of one file there is nothing to start."""
    if getattr(sys, "frozen", False) or not sys.executable:
        return []
    programs: list[_Program] = []
    flags = [flag for name, flag in _FLAGS.items() if getattr(sys.flags, name)]
    command = [sys.executable, *flags, *PROGRAM, str(root)]
    with contextlib.suppress(OSError):
        programs.extend(_program(command) for _ in range(count))
    return programs


def _program(command: list[str]) -> _Program:
    pipe = subprocess.PIPE
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
        command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
    )
    return _Program(process)


def _processors() -> int:
    """Count those that this process may use, where the system tells."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
