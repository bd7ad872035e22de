"""The commands that are killed, where they are run, and what a person would run next."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.errors import StoreBusyError
from agentjournal.orchestrator import close
from support.command_kills_command import Running, run
from support.command_kills_site import SLUG

if TYPE_CHECKING:
    from collections.abc import Callable

    from support.command_kills_command import Ended
    from support.command_kills_site import Site

ADD_PLAN = ("plan", "add", SLUG, "plan.md")
_DONE_BEFORE = ("is done: no attempt can be opened", "has a plan already")
_TOKEN = re.compile(r"aj-[a-z2-7]{26}")


@dataclass(frozen=True, kw_only=True)
class Workload:
    """One command at one site.

    After a kill one of `nexts` is run, in turn: each has to bring the plan to its end. `begins` runs
    at each site before, and may give a part of the environment; `spoils` runs in the command before
    its moments are counted; only moments from `since` on are chosen.
    """

    command: str
    nexts: tuple[tuple[str, ...], ...]
    tasks: int = 1
    has_worker: bool = True
    begins: Callable[[Site], dict[str, str]] = lambda _site: {}
    spoils: Callable[[], None] = lambda: None
    since: str = ""
    is_first: bool = False  # the very first command: there is neither a store nor a plan

    def args(self, site: Site, word: str = "") -> tuple[str, ...]:
        """Give the arguments of the command, or of one that comes next."""
        given = {
            "log": ("log", "--from", "step.json"),
            "run": ("run", SLUG, "T-1", "--", *site.worker.split()),
            "loop": ("loop", SLUG, "--worker", site.worker),
            "reap": ("reap",),
            "add": ADD_PLAN,
        }
        return given[word or self.command]


def _keep_busy() -> None:
    """Let the store refuse every close, so that it goes to the spool."""

    def busy(*_given: object, **_named: object) -> None:
        raise StoreBusyError("store busy, on purpose", next="Try again.")

    close.close_attempt = busy


def _spool_one(site: Site) -> dict[str, str]:
    """Leave a close in the spool."""
    work = WORKLOADS["run"]
    well(site, Running.start(site, *work.args(site), prepare=_keep_busy).wait())
    return {}


def _open_by_hand(site: Site) -> dict[str, str]:
    """Open an attempt by hand; its token is in the environment of who logs."""
    opened = run(site, "run", SLUG, "T-1")
    well(site, opened)
    found = _TOKEN.search(opened.err)
    return {"AGENTJOURNAL_ATTEMPT": found[0] if found else ""}


WORKLOADS = {
    "add": Workload(command="add", nexts=(("add", "loop"),), has_worker=False, is_first=True),
    "log": Workload(command="log", nexts=(("log",),), has_worker=False),
    "hand": Workload(command="log", nexts=(("log",),), has_worker=False, begins=_open_by_hand),
    "run": Workload(command="run", nexts=(("reap", "run"), ("run",), ("loop",))),
    "loop": Workload(command="loop", nexts=(("loop",), ("reap", "loop")), tasks=3),
    "spool": Workload(
        command="run",
        nexts=(("reap",), ("run",), ("loop",)),
        spoils=_keep_busy,
        since="turn close_or_spool",
    ),
    "drain": Workload(
        command="reap", nexts=(("reap",), ("loop",)), has_worker=False, begins=_spool_one
    ),
}


def well(site: Site, ended: Ended, *, is_again: bool = False) -> None:
    """End here unless the command did well; one that is repeated may find its work done."""
    if ended.code != 0 and not (is_again and any(word in ended.err for word in _DONE_BEFORE)):
        end(site, [f"exit {ended.code}: {ended.err or ended.out}"])


def end(site: Site, found: list[str]) -> None:
    """End here with what was found, where the process died, and what was said; with nothing, go on."""
    if found:
        died = site.outside / "died-at"
        told = [each.read_text()[-1500:] for each in sorted(site.outside.glob("*.err"))]
        sys.exit("\n".join([died.read_text() if died.exists() else "", *found, *told]))
