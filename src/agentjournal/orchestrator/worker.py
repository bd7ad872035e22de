"""One worker process: held until it is known, given its brief, ended with all that it started."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Timer
from typing import TYPE_CHECKING, BinaryIO, cast

from agentjournal.errors import ForeignProgramError
from agentjournal.orchestrator.capture import Capture, pump
from agentjournal.system.process import end_group, start_time

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from agentjournal.orchestrator.capture import Sink
    from agentjournal.orchestrator.stop import StopRequest

__all__ = ["GRACE_SECONDS", "Ended", "Worker", "is_command"]

GRACE_SECONDS = 10.0
LEFT_OVER_SECONDS = 2.0

# Runs in the child before the command: it waits for a byte that comes once the store knows its pid.
# A wrapper killed before that closes the pipe, and the command never runs.
_GATE = (
    "import os, sys\n"
    "fd = int(sys.argv[1])\n"
    "go = os.read(fd, 1)\n"
    "os.close(fd)\n"
    "sys.exit(125) if not go else os.execvp(sys.argv[2], sys.argv[2:])\n"
)


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How a worker ended; exactly one of `exit_status` and `signal` is set."""

    exit_status: int | None
    signal: int | None
    is_timeout: bool
    output: str
    errors: str


@dataclass
class Worker:
    """A started worker that waits for `release`; the leader of a process group of its own."""

    process: subprocess.Popen[bytes]
    started: str
    _gate: int
    _out: Capture
    _err: Capture
    _pumps: tuple[threading.Thread, ...]
    _is_timeout: threading.Event = field(default_factory=threading.Event)

    @classmethod
    def start(
        cls,
        command: Sequence[str],
        *,
        folder: Path,
        environment: Mapping[str, str],
        stdin: Path,
        sinks: tuple[Sequence[Sink], Sequence[Sink]] = ((), ()),
    ) -> Worker:
        """Start the command behind its gate; its output also goes to the sinks (stdout, stderr).

        Raises:
            ForeignProgramError: there is no such program, or it cannot be started.
        """
        if not is_command(command[0], folder, environment):
            raise ForeignProgramError(
                f"The worker's command was not found: {command[0]!r}.",
                next="Give a program on PATH, or a path from the project's folder.",
            )
        read_end, write_end = os.pipe()
        gated = [sys.executable, "-I", "-S", "-c", _GATE, str(read_end), *command]
        try:
            with stdin.open("rb") as brief:
                process = subprocess.Popen(  # noqa: S603 - a split command, never a shell
                    gated,
                    cwd=folder,
                    env=dict(environment),
                    stdin=brief,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    pass_fds=(read_end,),
                    start_new_session=True,
                )
        except OSError as error:
            os.close(write_end)
            raise ForeignProgramError(
                f"The worker could not be started: {error.strerror}.", next="Check the command."
            ) from error
        finally:
            os.close(read_end)
        out, err = Capture(), Capture()
        pumps = (
            pump(cast("BinaryIO", process.stdout), (out.take, *sinks[0])),
            pump(cast("BinaryIO", process.stderr), (err.take, *sinks[1])),
        )
        return cls(process, start_time(process.pid) or "", write_end, out, err, pumps)

    def release(self) -> None:
        """Let the command run; one that died behind its gate is told by `wait`."""
        with suppress(BrokenPipeError):
            os.write(self._gate, b"g")
        os.close(self._gate)

    def abandon(self) -> None:
        """Close the gate: the command never runs."""
        os.close(self._gate)
        self.process.wait()

    def wait(self, timeout: float, stop: StopRequest) -> Ended:
        """Wait for the end; past `timeout` seconds, or asked to stop, end the whole group."""
        timer = Timer(timeout, self._time_out)
        timer.daemon = True
        timer.start()
        with stop.passed_to(self._end):
            code = self.process.wait()
        timer.cancel()
        self._end_left_over()
        return Ended(
            exit_status=code if code >= 0 else None,
            signal=-code if code < 0 else None,
            is_timeout=self._is_timeout.is_set(),
            output=self._out.text(),
            errors=self._err.text(),
        )

    def _time_out(self) -> None:
        self._is_timeout.set()
        self._end()

    def _end(self) -> None:
        end_group(self.process.pid, self.started, GRACE_SECONDS)

    def _end_left_over(self) -> None:
        """End what the worker left running, which would hold its output open for ever."""
        for thread in self._pumps:
            thread.join(LEFT_OVER_SECONDS)
        if any(thread.is_alive() for thread in self._pumps):
            _signal_group(self.process.pid, signal.SIGKILL)
            for thread in self._pumps:
                thread.join(LEFT_OVER_SECONDS)


def is_command(name: str, folder: Path, environment: Mapping[str, str]) -> bool:
    """Say whether the name is a program that can be started from the folder."""
    if os.sep in name:
        return os.access(folder / name, os.X_OK)
    return shutil.which(name, path=environment.get("PATH", os.defpath)) is not None


def _signal_group(group: int, number: int) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return
