"""`engmem walkthrough`: build a small example in which agent programs share one memory."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agentjournal.cli.engmem_commands.doctor import patient_of
from agentjournal.cli.engmem_commands.install import home_of
from agentjournal.cli.engmem_commands.session import with_store
from agentjournal.compose.engmem_doctor.examine import examine, told
from agentjournal.compose.walkthrough.build import build, homes
from agentjournal.compose.walkthrough.demo import DEMOS, Demo, demo_at, read_name
from agentjournal.compose.walkthrough.verify import verify
from agentjournal.engmem.install.target import read_agent

if TYPE_CHECKING:
    from agentjournal.cli.engmem_commands.session import StoreSession
    from agentjournal.compose.engmem_doctor.finding import Finding
    from agentjournal.engmem.install.target import Home

__all__ = ["walkthrough"]


@click.command(
    epilog="\b\nExamples:\n  engmem walkthrough codex --dir ~/engmem-demo\n"
    "  engmem walkthrough codex --dir ~/engmem-demo --verify"
)
@click.argument("name", metavar="|".join(DEMOS))
@click.option(
    "--dir",
    "folder",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where the example is built: store, repositories, settings.",
)
@click.option("--verify", "is_check", is_flag=True, help="Check whether its steps were done.")
@with_store
def walkthrough(session: StoreSession, name: str, folder: Path, *, is_check: bool) -> int:
    """Build an example with a store of its own, check it, and print the steps to follow by hand.

    `codex`: one session saves a decision, the next one meets it. `handoff`: Codex and Claude Code hand
    decisions to each other. Your own store and settings are not touched.
    """
    known = read_name(name)
    where = session.world.cwd / folder.expanduser()
    if is_check:
        return _checked(session, demo_at(known, where))
    demo, place = Demo(known, where), home_of(session)
    made = build(demo, place, sys.executable, version("agent-journal"))
    lines = [f"engmem walkthrough {known}: {where}", *made]
    blocked = []
    for number, (agent, home) in enumerate(homes(demo, place).items()):
        findings = _examined(session, demo, agent, home)
        blocked += [each.subject for each in findings if each.level == "error"]
        report = told(agent, findings).replace("\n", "\n  ")
        lines += [f"step 0{'ab'[number]} - the wiring of {agent}:", f"  {report}"]
    lines.append(
        _blocked(blocked, demo) if blocked else f"ready: nothing stands in the way. {demo.steps}"
    )
    data = {"folder": str(where), "store": str(demo.store), "blocked": blocked}
    session.output.result("\n".join(lines).rstrip("\n"), data)
    return 1 if blocked else 0


def _examined(session: StoreSession, demo: Demo, agent: str, home: Home) -> list[Finding]:
    there = replace(session, root=demo.store)
    patient = patient_of(there, read_agent(agent), home, is_local=agent == "claude")
    return examine(replace(patient, origin="ENGMEM_HOME, in the steps", later=demo.store))


def _blocked(subjects: list[str], demo: Demo) -> str:
    return (
        f"not ready: {len(subjects)} finding(s) stand in the way ({', '.join(subjects)}). "
        f"Mend each as its line says, then run `engmem walkthrough {demo.name} --dir {demo.folder}` again"
    )


def _checked(session: StoreSession, demo: Demo) -> int:
    checks = verify(demo, sys.executable)
    missing = sum(not check.is_met for check in checks)
    end = f"NOT COMPLETE: {missing} of {len(checks)} checks did not pass" if missing else "PASS"
    lines = [f"engmem walkthrough {demo.name} --verify: {demo.folder}", *map(str, checks)]
    lines.append("not checked here: what the agents said; read it in their transcripts")
    session.output.result("\n".join([*lines, end]), [vars(check) for check in checks])
    return 1 if missing else 0
