"""Derives each claim of the demo again, from the log and from git."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.execution.dispatch import load_statuses
from agentjournal.execution.policy import DEFAULT_LIMITS
from agentjournal.log.verify import verify
from agentjournal.system.git import run_git

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from agentjournal.log.event import Event
    from agentjournal.log.log import Log

__all__ = ["Check", "checks"]

FAILING, KILLED = "T-004", "T-005"


@dataclass(frozen=True)
class Check:
    """One claim and whether it holds."""

    claim: str
    holds: bool


def checks(log: Log, slug: str, repository: Path, *, killed: bool) -> list[Check]:
    """Check what the demo claims to have shown."""
    with log.database.snapshot() as reader:
        events = list(log.all_events(reader, f"project/{slug}"))
        _, status = load_statuses(reader, slug, DEFAULT_LIMITS)
    closes = [event for event in events if event.kind == "close"]
    first, second = _two(closes, FAILING)
    dead, after = _two(closes, KILLED)
    option = _ruled_out(first)
    return [
        Check("all six tasks are done", [s.word for s in status.values()] == ["done"] * 6),
        Check(
            f"{FAILING} failed once and ruled out: {option}",
            _result(first) == "failed" and bool(option),
        ),
        Check(
            f"the next worker on {FAILING} read that in its brief and succeeded another way",
            _result(second) == "success" and bool(option) and option in _log_of(second),
        ),
        Check(
            f"{KILLED}'s worker was killed with SIGKILL, and the log says so",
            killed and dead is not None and dead.body.get("end") == "signal",
        ),
        Check(f"another worker finished {KILLED}", _result(after) == "success"),
        Check("every task's commit is in git", _are_committed(closes, repository)),
        Check("the package's tests pass", _tests_pass(repository)),
        Check("the log is as it was written (db verify)", verify(log).is_good),
    ]


def _two(closes: Sequence[Event], task: str) -> tuple[Event | None, Event | None]:
    """Give a task's first two closes, None for one that is missing."""
    found = [event for event in closes if event.body.get("plan_ref") == task]
    return next(iter(found), None), next(iter(found[1:]), None)


def _result(event: Event | None) -> object:
    return event.body.get("result") if event else None


def _log_of(event: Event | None) -> str:
    return str(event.body.get("log", "")) if event else ""


def _ruled_out(event: Event | None) -> str:
    handoff = event.body.get("handoff") if event else None
    items = _mapping(handoff).get("ruled_out") or ()
    return str(_mapping(next(iter(_list(items)), None)).get("option", ""))


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _are_committed(closes: Sequence[Event], repository: Path) -> bool:
    done = [event.body for event in closes if event.body.get("result") == "success"]
    refs = [_mapping(each).get("ref") for body in done for each in _list(body.get("artifacts"))]
    answer = run_git(["rev-list", "HEAD"], repository)
    known = set(answer.out.decode().split())
    return len(refs) == len(done) and set(refs) <= known


def _tests_pass(repository: Path) -> bool:
    run = subprocess.run(
        [sys.executable, "-m", "unittest", "discover", "-s", "tests", "-t", "."],
        cwd=repository,
        capture_output=True,
        check=False,
    )
    return run.returncode == 0
