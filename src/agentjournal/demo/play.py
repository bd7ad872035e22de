"""Plays the demo: real workers carry out a plan, one fails, one is killed, and every claim is checked."""

from __future__ import annotations

import shlex
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from agentjournal.brief.build import build_brief
from agentjournal.compose.services import Services
from agentjournal.demo.check import Check, checks
from agentjournal.demo.tell import Teller
from agentjournal.errors import DamagedError, InputError
from agentjournal.execution.plan.read import read_plan
from agentjournal.execution.project import add_plan
from agentjournal.execution.state.read import get_project_state
from agentjournal.orchestrator.loop import loop
from agentjournal.orchestrator.run import Job
from agentjournal.orchestrator.stop import StopRequest
from agentjournal.recall.tried import tried
from agentjournal.system.git import run_git

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agentjournal.compose.world import World

__all__ = ["Verdict", "play"]

SLUG = "tally"
HERE = Path(__file__).parent
QUESTION = "serialise the dictionary with tuple keys to json"
RETRIED = "T-004"
WORKER_SECONDS = 60.0


@dataclass(frozen=True)
class Verdict:
    """How the demo ended, as text and as data."""

    is_pass: bool
    text: str
    data: Mapping[str, object]


def play(world: World, keep: Path | None, say: Callable[[str], None]) -> Verdict:
    """Carry out the demo's plan in a repository of its own and check what came of it.

    Nothing outside the folder is touched; without `keep` it is removed at the end.
    """
    with ExitStack() as stack:
        folder = keep or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="agentjournal-demo-"))
        )
        repository = folder / SLUG
        _make(repository)
        run_git(["init", "--quiet"], repository)
        services = stack.enter_context(Services.of(_world(world, folder, repository), flags={}))
        _register(services)
        say(f"A repository in {repository}, a plan of six tasks, one worker at a time.\n")
        teller = Teller(services.log, repository, say)
        loop(services.workshop, _job(), teller, StopRequest())
        made = checks(services.log, SLUG, repository, killed=teller.killed)
        return Verdict(
            is_pass=all(check.holds for check in made),
            text=_shown(services, made, folder, is_kept=keep is not None),
            data={"checks": [vars(check) for check in made]},
        )


def _make(repository: Path) -> None:
    try:
        repository.mkdir(parents=True)
    except OSError as error:
        raise InputError(
            f"The demo's repository cannot be made at {repository}: {error.strerror}.",
            next="Name a folder that does not hold one already.",
        ) from error


def _world(world: World, folder: Path, repository: Path) -> World:
    """Give a world in which all that is written lies in the demo's folder."""
    names = {"NAME": "agent-journal demo", "EMAIL": "demo@example.invalid"}
    environment = {
        **{k: v for k, v in world.environment.items() if not k.startswith("AGENTJOURNAL_")},
        "AGENTJOURNAL_DATA_DIR": str(folder / "data"),
        "AGENTJOURNAL_CACHE_DIR": str(folder / "cache"),
        "ENGMEM_HOME": str(folder / "engmem"),
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_SYSTEM": "/dev/null",
        **{f"GIT_{who}_{what}": v for who in ("AUTHOR", "COMMITTER") for what, v in names.items()},
    }
    return replace(world, environment=environment, cwd=repository, home=folder)


def _register(services: Services) -> None:
    plan = read_plan((HERE / "plan.md").read_bytes(), "plan.md").plan
    if plan is None:
        raise DamagedError("The demo's plan could not be read.", next="Reinstall agent-journal.")
    world = services.world
    add_plan(services.log, SLUG, plan, ids=world.new_id, actor="demo", at=world.now())


def _job() -> Job:
    return Job(
        slug=SLUG,
        task="",
        command=(sys.executable, str(HERE / "worker.py")),
        actor="worker-1",
        timeout=WORKER_SECONDS,
    )


def _shown(services: Services, made: list[Check], folder: Path, *, is_kept: bool) -> str:
    """Show the checks, the state, one brief, an answer of `tried`, and where the log lies."""
    log, database = services.log, services.settings.database
    brief = build_brief(log, SLUG, RETRIED, sources=services.sources())
    answer = tried(services.sources(), QUESTION)
    verdict = "PASS" if all(check.holds for check in made) else "FAIL"
    rest = (
        f"Everything lies in {folder}."
        if is_kept
        else "It is removed now; `--keep FOLDER` leaves it."
    )
    return "\n".join(
        [
            _titled("What was claimed, checked against the log and git"),
            *(f"{'ok  ' if check.holds else 'FAIL'} {check.claim}" for check in made),
            _titled(f"agentjournal state {SLUG}"),
            get_project_state(log, SLUG),
            _titled(f"agentjournal context {SLUG} {RETRIED} --brief"),
            brief.text.rstrip("\n"),
            _titled(f"agentjournal tried {shlex.quote(QUESTION)}"),
            answer.text,
            _titled("Where the log lies"),
            f"{database}\n{rest}",
            "",
            verdict,
        ]
    )


def _titled(text: str) -> str:
    return f"\n--- {text} ---"
