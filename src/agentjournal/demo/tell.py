"""Tells what the demo's loop does, and kills one worker in the middle of its task."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import TYPE_CHECKING

from agentjournal.execution.reap import open_attempts
from agentjournal.orchestrator.loop import Approval

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agentjournal.execution.reap import Reaped
    from agentjournal.execution.status import Status
    from agentjournal.execution.task import TaskFacts
    from agentjournal.log.log import Log
    from agentjournal.orchestrator.loop import Proposal
    from agentjournal.orchestrator.run import Run

__all__ = ["Teller"]

VICTIM, WRITES = "T-005", "tally/report.py"
LOOK_SECONDS = 0.002
PATIENCE_SECONDS = 30.0


class Teller:
    """Narrates; when the victim has written its file and not yet committed, sends it SIGKILL."""

    def __init__(self, log: Log, repository: Path, say: Callable[[str], None]) -> None:
        self.killed = False
        self._log = log
        self._sign = repository / WRITES
        self._say = say

    def approve(self, proposal: Proposal) -> Approval:
        """Go on with everything, and lie in wait for the victim's first attempt."""
        task = proposal.task
        self._say(f"-> {task.id} {task.title} ({proposal.status})")
        if task.id == VICTIM and not self.killed:
            threading.Thread(target=self._lie_in_wait, args=(task,), daemon=True).start()
        return Approval("go")

    def reaped(self, attempts: list[Reaped]) -> None:
        """Tell of attempts whose worker was gone."""
        for each in attempts:
            self._say(f"   closed {each.task} attempt {each.number}: {each.reason}")

    def ended(self, task: TaskFacts, run: Run, status: Status) -> None:
        """Tell how a worker ended."""
        self._say(f"   {task.id} attempt {run.number} ended: exit {run.exit_code}, now {status}")

    def escalated(self, task: str, why: str) -> None:
        """Tell that a task waits for a person."""
        self._say(f"   {task} waits for a person: {why}")

    def _lie_in_wait(self, task: TaskFacts) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            if self._sign.exists():
                self._kill(task)
                return
            time.sleep(LOOK_SECONDS)

    def _kill(self, task: TaskFacts) -> None:
        with self._log.database.snapshot() as reader:
            found = open_attempts(reader, task_project(self._sign))
        for attempt in found:
            if attempt.task == task.id and attempt.worker_pid:
                os.killpg(attempt.worker_pid, signal.SIGKILL)
                self.killed = True
                self._say(f"   {task.id}: its worker was killed (SIGKILL) in mid-task")


def task_project(sign: Path) -> str:
    """Give the slug of the demo's project: the name of its repository's folder."""
    return sign.parent.parent.name
