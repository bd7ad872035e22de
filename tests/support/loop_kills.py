"""Kills `agentjournal loop` and its workers at random moments: `python -m support.loop_kills FOLDER`.

Each round carries out a plan of three tasks, however often it is killed: whoever comes next starts
the same loop again. Where the policy asks for a person (a task's second end without a word), the
person says `resolve --retry`. The universal condition is checked after each kill, and whole at the
end of the plan. It ends at the first fault, and prints what it counted as JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from support.command_kills import sites_of
from support.command_kills_check import faults, processes, waiting
from support.command_kills_command import Running, preload, run
from support.command_kills_site import SLUG

if TYPE_CHECKING:
    from support.command_kills_site import Site, Sites

_TASKS = 3
_LONGEST_PLAN = 60  # starts of the loop until a plan of three tasks has to be done
_WORK = "0.05"  # seconds that a worker works
_VICTIMS = ("loop", "loop", "worker", "both")


@dataclass
class Rounds:
    """Plans carried out under fire; `loops` at once."""

    sites: Sites
    chance: random.Random
    loops: int
    is_cold: bool
    seconds: float = 0.0  # that an unharmed loop takes
    counted: Counter[str] = field(default_factory=Counter)

    def prepare(self) -> None:
        """Make the first site, and see how long a plan takes that nobody kills."""
        site = self.sites.first()
        site.lay(_TASKS)
        run(site, "plan", "add", SLUG, "plan.md")
        trial = self.sites.copy("unharmed")
        begun = time.monotonic()
        self._start(trial).wait()
        self.seconds = time.monotonic() - begun
        _end(trial, faults(trial))
        self.sites.remove(trial)

    def carry_out(self, number: int) -> None:
        """Start the loop again and again until its plan is done."""
        trial = self.sites.copy(f"round-{number}")
        for _ in range(_LONGEST_PLAN):
            if self._shot_at(trial):
                break
            _end(trial, faults(trial, is_over=False))
            self._answer(trial)
        _end(trial, faults(trial))
        self.sites.remove(trial)
        self.counted["plans"] += 1

    def _start(self, trial: Site) -> Running:
        args = ("loop", SLUG, "--worker", trial.worker)
        return Running.start(trial, *args, is_cold=self.is_cold, WORK=_WORK)

    def _shot_at(self, trial: Site) -> bool:
        """Start the loop, kill somewhere, wait for the end; give whether all is done."""
        running = [self._start(trial) for _ in range(self.loops)]
        left = _TASKS - len(list(trial.project.glob("T-*.txt")))
        time.sleep(self.chance.uniform(0, self.seconds * max(left, 1) / _TASKS))
        victim = self.chance.choice(_VICTIMS)
        if victim != "loop":
            self.counted["workers killed"] += self._kill_worker(trial, running)
        if victim != "worker":
            os.kill(self.chance.choice(running).pid, signal.SIGKILL)
        ended = [each.wait() for each in running]
        self.counted["loops killed"] += sum(each.is_killed for each in ended)
        odd = [each for each in ended if each.code not in {0, 1, -signal.SIGKILL}]
        _end(trial, [f"exit {each.code}: {each.err}" for each in odd])
        return any(each.code == 0 for each in ended)

    def _kill_worker(self, trial: Site, running: list[Running]) -> bool:
        """Kill the worker that is at work, or the next one; none where the loops end before."""
        while any(each.is_running for each in running):
            begun = {int(pid) for _, pid in trial.notes("begin")}
            for pid in begun.intersection(processes(trial)):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    return True
        return False

    def _answer(self, trial: Site) -> None:
        """Be the person that the policy asks for; nothing else may wait for one."""
        run(trial, "reap")
        for task, why in waiting(trial):
            if not why.startswith(("ended without a word", "attempts used up")):
                _end(trial, [f"{task} waits for a person: {why}"])
            run(trial, "resolve", SLUG, task, "--retry", "--why", "It was killed on purpose.")
            self.counted["answers of a person"] += 1


def _end(trial: Site, found: list[str]) -> None:
    if found:
        told = [each.read_text()[-1000:] for each in sorted(trial.outside.glob("*.err"))[-4:]]
        sys.exit("\n".join([str(trial.folder), *found, *told]))


def main() -> None:
    """Kill as often as the arguments say."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--server")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--loops", type=int, default=1)
    parser.add_argument("--cold", action="store_true")
    given = parser.parse_args()
    preload()
    chance = random.Random(given.seed)  # noqa: S311 - to be repeated
    rounds = Rounds(sites_of(given.folder, given.server), chance, given.loops, given.cold)
    rounds.prepare()
    number = 0
    while rounds.counted["loops killed"] < given.kills:
        rounds.carry_out(number := number + 1)
    print(json.dumps({"seed": given.seed, **rounds.counted}))


if __name__ == "__main__":
    main()
