"""Kills whole commands at each of their moments: `python -m support.command_kills FOLDER WORKLOAD`.

Each kill gets a copy of the first site; then what a person would run next is run, and the universal
condition is checked. One moment in `--every` of each label is taken, the first always; of these, by
`--most`, about so many. It ends at the first fault, and prints what it counted as JSON. `--control`
makes a mistake on purpose, which must be found.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from support.command_kills_check import faults
from support.command_kills_command import Running, preload, run
from support.command_kills_controls import CONTROLS, second_id
from support.command_kills_moments import SPAWN, WAIT, Moments
from support.command_kills_site import PostgresSites, SqliteSites
from support.command_kills_workloads import ADD_PLAN, WORKLOADS, end, well
from support.vfs import WHENS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.command_kills_site import Site, Sites
    from support.command_kills_workloads import Workload
    from support.vfs import When


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
    """The kills of one workload, and what was counted."""

    sites: Sites
    work: Workload
    control: str = ""
    kills: Counter[str] = field(default_factory=Counter)
    most_moments: int = 0
    most_cpu: float = 0.0

    def prepare(self) -> list[str]:
        """Make the first site, and give every moment of the command when nothing is killed."""
        site = self.sites.first()
        site.lay(self.work.tasks)
        if not self.work.is_first:
            well(site, run(site, *ADD_PLAN))
        trial = self.sites.copy("unharmed")
        note, known = trial.outside / "moments", self.work.begins(trial)
        well(trial, self._start(trial, Moments(0, "before", note), **known).wait())
        if not (self.work.is_first or self.work.since):
            end(trial, faults(trial))
        labels = note.read_text().splitlines()
        self.sites.remove(trial)
        return labels

    def kill(self, kill: Kill) -> None:
        """Kill the command there, go on as a person would, and check."""
        trial = self.sites.copy(f"{kill.when}-{kill.at}{kill.by_worker}")

        def is_at_work() -> bool:
            return any(task == kill.lingers for task, _ in trial.notes("begin"))

        moments = Moments(kill.at, kill.when, trial.outside / "died-at", is_at_work)
        known = self.work.begins(trial)
        told = {"LINGER": kill.lingers, "WRAPPER_DIES": kill.by_worker}
        ended = self._start(trial, moments, **known, **told).wait()
        if ended.is_killed:
            self.kills[kill.label.removesuffix(" *")] += 1
        else:
            well(trial, ended)
        if self.work.command == "log":
            end(trial, faults(trial, is_over=False))
        self._go_on(trial, known)
        end(trial, faults(trial))
        self.sites.remove(trial)

    def _start(self, trial: Site, moments: Moments, **environment: str) -> Running:
        make_mistake = CONTROLS.get(self.control, lambda: None)

        def prepare() -> Moments:
            make_mistake()
            self.work.spoils()
            return moments.watch()

        return Running.start(trial, *self.work.args(trial), prepare=prepare, **environment)

    def _go_on(self, trial: Site, known: dict[str, str]) -> None:
        """Do what a person would do next; the first command's work is that of reopening."""
        if self.control == "second-id":
            second_id(trial)
        words = self.work.nexts[self.kills.total() % len(self.work.nexts)]
        for place, word in enumerate(words):
            note = trial.outside / "reopening"
            counting = Moments(0, "before", note)
            args = self.work.args(trial, word)
            ended = Running.start(trial, *args, prepare=counting.watch, **known).wait()
            well(trial, ended, is_again=word in {"run", "add"})
            if place == 0:
                self.most_moments = max(self.most_moments, len(note.read_text().splitlines()))
                self.most_cpu = max(self.most_cpu, ended.cpu)


def chosen(work: Workload, labels: list[str], every: int) -> Iterator[Kill]:
    """Give one in `every` of the moments of each label and time, the first always."""
    lingering = list(_lingering(labels)) if work.has_worker else [""] * len(labels)
    first = labels.index(work.since) if work.since else 0
    seen: Counter[tuple[str, str]] = Counter()
    for when in WHENS:
        for place, label in enumerate(labels[first:], first):
            if when == "torn" and not label.endswith(" *"):
                continue
            if seen[when, label] % every == 0:
                is_past = when == "after" and label.startswith(WAIT)
                yield Kill(place + 1, when, label, "" if is_past else lingering[place])
            seen[when, label] += 1
    for moment in ("begin", "half", "handed") if work.has_worker and not work.since else ():
        yield Kill(0, "before", f"worker {moment}", by_worker=moment)


def _lingering(labels: list[str]) -> Iterator[str]:
    """Say for each moment whose worker it stops: from its start until it is waited for."""
    number, is_between = 0, False
    for label in labels:
        number += label.startswith(SPAWN)
        is_between = is_between or label.startswith(SPAWN)
        yield f"T-{number}" if is_between else ""
        is_between = is_between and not label.startswith(WAIT)


def sites_of(folder: Path, server: str | None) -> Sites:
    """Give sites on SQLite, or on the server where one is named."""
    return PostgresSites(folder, server) if server else SqliteSites(folder)


def main() -> None:
    """Sweep as the arguments say."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("workload", choices=WORKLOADS)
    parser.add_argument("--server")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--most", type=int)
    parser.add_argument("--control", default="")
    given = parser.parse_args()
    preload()
    work = WORKLOADS[given.workload]
    sweep = Sweep(sites_of(given.folder, given.server), work, given.control)
    labels = sweep.prepare()
    kills = list(chosen(work, labels, given.every))
    for kill in kills[:: max(1, len(kills) // given.most) if given.most else 1]:
        sweep.kill(kill)
    told = {"kills": sweep.kills.total(), "moments": len(labels), "by_label": dict(sweep.kills)}
    reopening = {"reopening_moments": sweep.most_moments, "reopening_cpu": sweep.most_cpu}
    print(json.dumps(told | reopening))


if __name__ == "__main__":
    main()
