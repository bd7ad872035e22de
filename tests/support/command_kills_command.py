"""One whole command in a process of its own: forked, so that nothing is imported twice."""

from __future__ import annotations

import importlib
import os
import signal
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from agentjournal.cli.main import agentjournal, run_command
from agentjournal.text.redact import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from support.command_kills_site import Site

_COMMANDS = ("db", "log", "loop", "plan", "reap", "resolve", "run", "state")


class Watcher(Protocol):
    """Watches a command from inside."""

    def tell(self) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How a command ended: exit code, or minus the signal; `cpu` in seconds, its workers' included."""

    code: int
    out: str
    err: str
    cpu: float

    @property
    def is_killed(self) -> bool:
        return self.code == -signal.SIGKILL


def preload() -> None:
    """Import once what every command would import, and load the rules for secrets."""
    for name in _COMMANDS:
        importlib.import_module(f"agentjournal.cli.commands.{name}")
    importlib.import_module("agentjournal.storage.postgres")
    redact("nothing secret")


@dataclass(frozen=True)
class Running:
    """A command that was started; its output goes to numbered files outside of the store."""

    site: Site
    pid: int
    number: int

    @classmethod
    def start(
        cls,
        site: Site,
        *args: str,
        prepare: Callable[[], Watcher | None] = lambda: None,
        is_cold: bool = False,
        **environment: str,
    ) -> Running:
        """Fork the command; `prepare` runs in it first, and what it gives may tell at the end.

        A cold one is executed as the installed program, as a person would start it.
        """
        number = len(list(site.outside.glob("*.out")))
        for name in ("out", "err"):
            (site.outside / f"{number}.{name}").touch()
        pid = os.fork()
        if pid == 0:
            _be(_Command(site, number, args, is_cold, environment), prepare)
        return cls(site, pid, number)

    @property
    def is_running(self) -> bool:
        """Say whether it has not ended yet."""
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None

    def wait(self) -> Ended:
        """Wait for its end."""
        _, status, used = os.wait4(self.pid, 0)
        return Ended(
            code=os.waitstatus_to_exitcode(status),
            out=(self.site.outside / f"{self.number}.out").read_text(),
            err=(self.site.outside / f"{self.number}.err").read_text(),
            cpu=used.ru_utime + used.ru_stime,
        )


def run(site: Site, *args: str, **environment: str) -> Ended:
    """Run a command unharmed."""
    return Running.start(site, *args, **environment).wait()


@dataclass(frozen=True)
class _Command:
    site: Site
    number: int
    args: Sequence[str]
    is_cold: bool
    environment: Mapping[str, str]

    def enter(self) -> None:
        """Take its place: output, input, environment, folder."""
        for descriptor, name in ((1, "out"), (2, "err")):
            path = self.site.outside / f"{self.number}.{name}"
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), descriptor)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        own = self.site.environment | self.environment
        os.environ.clear()
        os.environ.update(own)
        os.chdir(self.site.project)

    def run(self, prepare: Callable[[], Watcher | None]) -> int:
        """Run in this process, and give the exit code."""
        if self.is_cold:
            program = Path(sys.executable).with_name("agentjournal")
            os.execv(program, [program, *self.args])  # noqa: S606 - the installed program
        watcher = prepare()
        code = run_command(agentjournal, "agentjournal", self.args)
        if watcher is not None:
            watcher.tell()
        return code


def _be(command: _Command, prepare: Callable[[], Watcher | None]) -> None:
    """Be the command; never comes back."""
    code = 99
    try:
        command.enter()
        code = command.run(prepare)
    except BaseException:  # noqa: BLE001 - a forked command must not go on as its parent
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
