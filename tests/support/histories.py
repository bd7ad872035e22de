"""Any history of a small project, played from numbers, with what must hold after each move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.errors import AgentJournalError
from agentjournal.execution.policy import Limits
from agentjournal.execution.reap import Presence, reap
from agentjournal.execution.record import LINE_BYTES, RECORD_ROOM, record_lines
from agentjournal.execution.resolve import discover, reopen_ruled_out, resolve
from agentjournal.log.revoke import redact, retract
from support.execution import (
    AT,
    SLUG,
    claim,
    close,
    events,
    failed,
    ids,
    project,
    rows,
    step,
    token,
    uuid,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agentjournal.storage.database import Database
    from support.clock import SettableClock

Move = tuple[int, int, int]  # which kind of move, and two numbers that it reads as it likes

TASKS = ("T-1", "T-2", "2.1", "2.2", "U-001")
RESULTS = ("success", "failed", "partial", "skipped")
ENDS = ("contract_missing", "exit_nonzero", "signal", "timeout", "spawn_failed")
VERBS = ("retry", "skip", "done")
KINDS = 10


class History:
    """Plays moves; what the rules refuse is a move too, and leaves no trace."""

    def __init__(self, database: Database, clock: SettableClock) -> None:
        self.log = project(database)
        self.clock = clock
        self.played = 0
        self.before: tuple[list[str], int] = ([], 0)

    def play(self, moves: Iterable[Move]) -> None:
        for kind, x, y in moves:
            self.played += 1
            stored = len(events(self.log))
            try:
                self._move(kind % KINDS, x, y)
            except AgentJournalError:
                assert len(events(self.log)) == stored
            self._check()

    def _move(self, kind: int, x: int, y: int) -> None:
        task, number = TASKS[x % len(TASKS)], self.played
        say = {"event_id": uuid(0x700000 + number), "actor": "ada", "at": AT}
        match kind:
            case 0:
                claim(
                    self.log, number, task=task, holder=("wrapper", "hand")[y % 2], limits=Limits(9)
                )
            case 1:
                write(self.log, self._step(number, task, RESULTS[y % 4], None))
            case 2:
                claimed = 1 + y % number
                write(self.log, self._step(number, task, RESULTS[y % 4], token(claimed)))
            case 3 | 4:
                self._close(number, x, y)
            case 5:
                self.clock.advance(x % 2000)
                gone = Presence(
                    host="here",
                    boot="boot-1",
                    is_alive=lambda *_: y % 2 == 0,
                    end_group=lambda *_: None,
                )
                reap(self.log, gone, new_id=ids(0x800000 + number * 100), at=AT)
            case 6:
                resolve(self.log, SLUG, task, VERBS[y % 3], "As a person says", **say)
            case 7:
                discover(self.log, SLUG, f"Found {number}", from_task=task, **say)
            case 8:
                items = sorted(str(row["id"]) for row in rows(self.log.database, "ruled_out"))
                item = items[x % len(items)] if items else "none"
                new_id = ids(0x900000 + number * 100)
                reopen_ruled_out(self.log, item, "So " + "x" * (y % 300), new_id=new_id, **say)
            case _:
                told = events(self.log)
                revoke = (retract, redact)[y % 2]
                revoke(self.log, told[x % len(told)].id, why="It was wrong", **say)

    def _step(self, number: int, task: str, result: str, attempt: str | None) -> object:
        if result != "failed":
            told = {"result": result, "next_step": "Go on", "action": f"Did {number} " + "x" * 90}
            return step(number, plan_ref=task, attempt=attempt, **told)
        option = {"option": f"Way {number % 5}", "why": "Because"}
        if items := rows(self.log.database, "ruled_out"):
            option["supersedes"] = min(str(row["id"]) for row in items)
        return failed(number, plan_ref=task, attempt=attempt, ruled_out=[option])

    def _close(self, number: int, x: int, y: int) -> None:
        attempts = rows(self.log.database, "attempt")
        if not attempts:
            return
        chosen = sorted(attempts, key=lambda row: int(row["fence"]))[-1 - x % len(attempts)]
        form = {"result": "success", "action": f"Did {number}", "current_state": "Done"}
        written = (form, {**form, "result": "failed"}, "no handoff", None)[y % 4]
        close(
            self.log,
            number,
            written,
            attempt=chosen["token_sha256"],
            plan_ref=chosen["task"],
            end=ENDS[y % len(ENDS)],
            id=uuid(0x600000 + number),
        )

    def _check(self) -> None:
        with self.log.database.snapshot() as reader:
            lines = record_lines(reader, SLUG)
        (row,) = rows(self.log.database, "project")
        earlier, resets = self.before
        assert lines[: len(earlier)] == earlier or int(row["resets"]) > resets
        assert all(len(line.encode()) <= LINE_BYTES for line in lines)
        assert row["room_used"] == sum(len(line.encode()) + 1 for line in lines) <= RECORD_ROOM
        assert row["last_seq"] == len(events(self.log))
        for task in rows(self.log.database, "task"):
            numbers = [r for r in rows(self.log.database, "attempt") if r["task"] == task["task"]]
            assert sorted(r["number"] for r in numbers) == list(range(1, int(task["attempts"]) + 1))
            still_open = [r["number"] for r in numbers if r["closed_seq"] is None]
            assert still_open == ([] if task["open_attempt"] is None else [task["open_attempt"]])
        self.before = (lines, int(row["resets"]))
