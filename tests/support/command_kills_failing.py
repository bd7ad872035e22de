"""Lets the store fail under whole commands: `python -m support.command_kills_failing FOLDER CASE`.

At its n-th write, for n from 1 (by `--every`) until none is hit: once, or from there on. `log` and
`run`: any write of the command. `close`: any write from the worker's end on. `full`: from there on
nothing can be written, the spool included. On PostgreSQL round trips fail, unanswered or (`--when
after`) done but without an answer.

The command says in one sentence what failed, where, and what to do, or the close waits in the spool;
afterwards the next command goes on as if nothing had been, and all is there once. It ends at the
first fault, and prints what it counted as JSON.
"""

from __future__ import annotations

import argparse
import errno
import json
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import psycopg

from support.command_kills import sites_of
from support.command_kills_check import faults
from support.command_kills_command import Running, preload, run
from support.command_kills_moments import Moments
from support.command_kills_site import SLUG

if TYPE_CHECKING:
    from collections.abc import Callable

    from support.command_kills_command import Ended
    from support.command_kills_site import Site, Sites
    from support.vfs import When

_STORE = frozenset({"write", "sync", "truncate", "delete", "trip"})
_SENTENCE = re.compile(r"error: .+ Next: .+\n")
_SPOOLED = "its close waits in the spool"
_OWN_FAILURE = 125
_IMPATIENT = {"AGENTJOURNAL_BUSY_WAIT_SECONDS": "1"}  # a store that stays away is soon given up


@dataclass
class Failing(Moments):
    """Fails at moment number `at` of the store, and at every later one where it is sticky."""

    error: Callable[[str], Exception] = apsw.IOError
    is_sticky: bool = False
    has_full_disk: bool = False  # what is written beside the store fails with it
    since: str = ""  # the turn from which on it may fail; at once where none is named
    hits: int = 0

    def moment(
        self, label: str, perform: Callable[[], Any], _tear: Callable[[], Any] | None = None
    ) -> Any:
        """Fail instead of (or after) doing it, where that is due."""
        if label == self.since:
            self.since = ""
        is_beside = self.has_full_disk and label == "file write"
        if self.since or not (label.partition(" ")[0] in _STORE or is_beside):
            return perform()
        self.labels.append(label)
        number = len(self.labels)
        if number != self.at and not (self.is_sticky and number > self.at):
            return perform()
        self.hits += 1
        if self.when == "after":
            perform()
        if is_beside:
            raise OSError(errno.ENOSPC, "No space left on device")
        raise self.error(f"{label} failed on purpose")

    def tell(self) -> None:
        """Write down how often something failed."""
        self.note.write_text(str(self.hits))


@dataclass(frozen=True, kw_only=True)
class Case:
    """Which command fails, and how."""

    name: str
    error: Callable[[str], Exception]
    is_sticky: bool
    when: When

    @property
    def command(self) -> str:
        return "log" if self.name == "log" else "run"

    def failing(self, at: int, note: Path) -> Failing:
        """Fail at this moment."""
        return Failing(
            at=at,
            when=self.when,
            note=note,
            error=self.error,
            is_sticky=self.is_sticky,
            has_full_disk=self.name == "full",
            since="turn pick_up" if self.name in {"close", "full"} else "",
        )


@dataclass
class Failures:
    """The failures of one case, and what became of them."""

    sites: Sites
    case: Case
    counted: Counter[str] = field(default_factory=Counter)

    def sweep(self, every: int) -> None:
        """Fail at one in so many moments in turn, until the command comes through unhurt."""
        site = self.sites.first()
        site.lay(1)
        run(site, "plan", "add", SLUG, "plan.md")
        for at in count(1, every):
            if not self._fail(at):
                break
            self.counted["failures"] += 1

    def _fail(self, at: int) -> bool:
        trial = self.sites.copy(f"fail-{at}")
        note = trial.outside / "hits"
        failing = self.case.failing(at, note)
        args = _args(trial, self.case.command)
        ended = Running.start(trial, *args, prepare=failing.watch, **_IMPATIENT).wait()
        self._judge(trial, ended)
        is_hit = note.read_text() != "0"
        self._go_on(trial, args, ended)
        self.sites.remove(trial)
        return is_hit

    def _judge(self, trial: Site, ended: Ended) -> None:
        """Look at what the command said."""
        if ended.code == 0:
            self.counted["spooled" if _SPOOLED in ended.err else "done"] += 1
            return
        self.counted["refused"] += 1
        places = (trial.database.partition("?")[0].rpartition("@")[2], str(trial.folder))
        is_told = _SENTENCE.fullmatch(ended.err) and any(place in ended.err for place in places)
        if not is_told or ended.code != (1 if self.case.command == "log" else _OWN_FAILURE):
            _end(trial, [f"exit {ended.code}"])

    def _go_on(self, trial: Site, args: tuple[str, ...], ended: Ended) -> None:
        """Run what comes next, and see that all is there once."""
        if _SPOOLED in ended.err:
            run(trial, "state", SLUG)
        elif ended.code:
            again = run(trial, *args)
            if again.code and "is done: no attempt can be opened" not in again.err:
                _end(trial, [f"again: exit {again.code}"])
        _end(trial, faults(trial) + [f"left in the spool: {each}" for each in _spooled(trial)])


def _spooled(trial: Site) -> list[str]:
    spool = trial.folder / "data" / "agentjournal" / "spool"
    return [each.name for each in (*spool.glob("*.jsonl"), *spool.glob("quarantine/*"))]


def _args(trial: Site, command: str) -> tuple[str, ...]:
    if command == "log":
        return ("log", "--from", "step.json")
    return ("run", SLUG, "T-1", "--", *trial.worker.split())


def _end(trial: Site, found: list[str]) -> None:
    if found:
        told = [each.read_text()[-1500:] for each in sorted(trial.outside.glob("*.err"))]
        sys.exit("\n".join([trial.folder.name, *found, *told]))


def main() -> None:
    """Fail as the arguments say."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("name", choices=("log", "run", "close", "full"))
    parser.add_argument("--server")
    parser.add_argument("--error", choices=("io", "full"), default="io")
    parser.add_argument("--sticky", action="store_true")
    parser.add_argument("--when", choices=("before", "after"), default="before")
    parser.add_argument("--every", type=int, default=1)
    given = parser.parse_args()
    preload()
    error = {"io": apsw.IOError, "full": apsw.FullError}[given.error]
    case = Case(
        name=given.name,
        error=psycopg.OperationalError if given.server else error,
        is_sticky=given.sticky,
        when=given.when,
    )
    failures = Failures(sites_of(given.folder, given.server), case)
    failures.sweep(given.every)
    print(json.dumps(failures.counted))


if __name__ == "__main__":
    main()
