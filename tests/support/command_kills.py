"""Kills whole commands at each of their moments: `python -m support.command_kills FOLDER COMMAND`.

The command is `log`, `run` or `loop`. Each kill gets a copy of the first site; then what a person
would run next is run, and the universal condition is checked. One moment in `--every` of each label
is taken, the first always. It ends at the first fault, and prints what it counted as JSON.

`--control` makes a mistake on purpose, which must be found.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from support.command_kills_check import faults
from support.command_kills_command import Running, preload, run
from support.command_kills_controls import CONTROLS, second_id
from support.command_kills_moments import SPAWN, WAIT, Moments
from support.command_kills_site import SLUG, PostgresSites, SqliteSites
from support.vfs import WHENS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from support.command_kills_command import Ended
    from support.command_kills_site import Site, Sites
    from support.vfs import When

_TASKS = {"log": 1, "run": 1, "loop": 3}
# What a person may do next, in turn: each of these has to bring the plan to its end.
_NEXT = {
    "log": (("again",),),
    "run": (("reap", "again"), ("again",), ("loop",)),
    "loop": (("again",), ("reap", "again")),
}


@dataclass(frozen=True)
class Kill:
    """One moment to die at; `lingers` names the task whose worker is at work then.

    At moment 0 it is the worker that kills, where `by_worker` says.
    """

    at: int
    when: When
    label: str
    lingers: str = ""
    by_worker: str = ""


@dataclass
class Sweep:
    """The kills of one command, and what was counted."""

    sites: Sites
    command: str
    control: str = ""
    kills: Counter[str] = field(default_factory=Counter)
    most_moments: int = 0
    most_cpu: float = 0.0

    def prepare(self) -> list[str]:
        """Make the first site, and give every moment of the command when nothing is killed."""
        site = self.sites.first()
        site.lay(_TASKS[self.command])
        _expect(site, run(site, "plan", "add", SLUG, "plan.md"))
        trial = self.sites.copy("unharmed")
        note = trial.outside / "moments"
        _expect(trial, self._start(trial, Moments(0, "before", note)).wait())
        _end(trial, faults(trial))
        labels = note.read_text().splitlines()
        self.sites.remove(trial)
        return labels

    def kill(self, kill: Kill) -> None:
        """Kill the command there, go on as a person would, and check."""
        trial = self.sites.copy(f"{kill.when}-{kill.at}{kill.by_worker}")
        is_at_work = lambda: any(task == kill.lingers for task, _ in trial.notes("begin"))  # noqa: E731
        moments = Moments(kill.at, kill.when, trial.outside / "died-at", is_at_work)
        told = {"LINGER": kill.lingers, "WRAPPER_DIES": kill.by_worker}
        ended = self._start(trial, moments, **told).wait()
        if ended.is_killed:
            self.kills[kill.label.removesuffix(" *")] += 1
        else:
            _expect(trial, ended)
        if self.command == "log":
            _end(trial, faults(trial, is_over=False))
        self._go_on(trial)
        _end(trial, faults(trial))
        self.sites.remove(trial)

    def _start(self, trial: Site, moments: Moments, **environment: str) -> Running:
        make_mistake = CONTROLS.get(self.control, lambda: None)

        def prepare() -> Moments:
            make_mistake()
            return moments.watch()

        return Running.start(trial, *_args(trial, self.command), prepare=prepare, **environment)

    def _go_on(self, trial: Site) -> None:
        """Do what a person would do next; the first command's work is that of reopening."""
        if self.control == "second-id":
            second_id(trial)
        nexts = _NEXT[self.command]
        words = nexts[self.kills.total() % len(nexts)]
        for place, word in enumerate(words):
            args = _args(trial, self.command if word == "again" else word)
            note = trial.outside / "reopening"
            counting = Moments(0, "before", note)
            ended = Running.start(trial, *args, prepare=counting.watch).wait()
            _expect(trial, ended, is_again=word == "again")
            if place == 0 and word != "loop":
                self.most_moments = max(self.most_moments, len(note.read_text().splitlines()))
                self.most_cpu = max(self.most_cpu, ended.cpu)


def chosen(labels: list[str], every: int, *, command: str) -> Iterator[Kill]:
    """Give one in `every` of the moments of each label and time, the first always."""
    lingering = list(_lingering(labels)) if command != "log" else [""] * len(labels)
    seen: Counter[tuple[str, str]] = Counter()
    for when in WHENS:
        for at, label in enumerate(labels, 1):
            if when == "torn" and not label.endswith(" *"):
                continue
            if seen[when, label] % every == 0:
                is_past = when == "after" and label.startswith(WAIT)
                yield Kill(at, when, label, "" if is_past else lingering[at - 1])
            seen[when, label] += 1
    for moment in ("begin", "half", "handed") if command != "log" else ():
        yield Kill(0, "before", f"worker {moment}", by_worker=moment)


def _lingering(labels: list[str]) -> Iterator[str]:
    """Say for each moment whose worker it stops: from its start until it is waited for."""
    number, is_between = 0, False
    for label in labels:
        number += label.startswith(SPAWN)
        is_between = is_between or label.startswith(SPAWN)
        yield f"T-{number}" if is_between else ""
        is_between = is_between and not label.startswith(WAIT)


def _args(site: Site, word: str) -> tuple[str, ...]:
    given: dict[str, Callable[[], tuple[str, ...]]] = {
        "log": lambda: ("log", "--from", "step.json"),
        "run": lambda: ("run", SLUG, "T-1", "--", *site.worker.split()),
        "loop": lambda: ("loop", SLUG, "--worker", site.worker),
        "reap": lambda: ("reap",),
    }
    return given[word]()


def _expect(site: Site, ended: Ended, *, is_again: bool = False) -> None:
    """End here unless the command did well; one that is repeated may find its task done."""
    if ended.code != 0 and not (is_again and "is done: no attempt can be opened" in ended.err):
        _end(site, [f"exit {ended.code}: {ended.err or ended.out}"])


def _end(site: Site, found: list[str]) -> None:
    if found:
        died = site.outside / "died-at"
        told = [each.read_text()[-1500:] for each in sorted(site.outside.glob("*.err"))]
        sys.exit("\n".join([died.read_text() if died.exists() else "", *found, *told]))


def sites_of(folder: Path, server: str | None) -> Sites:
    """Give sites on SQLite, or on the server where one is named."""
    return PostgresSites(folder, server) if server else SqliteSites(folder)


def main() -> None:
    """Sweep as the arguments say."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("command", choices=_TASKS)
    parser.add_argument("--server")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--most", type=int)
    parser.add_argument("--control", default="")
    given = parser.parse_args()
    preload()
    sweep = Sweep(sites_of(given.folder, given.server), given.command, given.control)
    labels = sweep.prepare()
    for kill in islice(chosen(labels, given.every, command=given.command), given.most):
        sweep.kill(kill)
    told = {"kills": sweep.kills.total(), "moments": len(labels), "by_label": dict(sweep.kills)}
    reopening = {"reopening_moments": sweep.most_moments, "reopening_cpu": sweep.most_cpu}
    print(json.dumps(told | reopening))


if __name__ == "__main__":
    main()
