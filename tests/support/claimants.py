"""Processes of their own that claim, write and reap at the same moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.execution.attempt import Opened
from agentjournal.execution.closing import close_attempt
from agentjournal.execution.reap import Presence, reap
from agentjournal.storage.open import open_database
from support.at_once import at_once as in_processes
from support.execution import AT, claim, ending, execution_log, ids, step, uuid, write

if TYPE_CHECKING:
    from multiprocessing.synchronize import Barrier

    from agentjournal.log.log import Log

Work = "Callable[[Log, int, Barrier], list[object]]"


def at_once(location: str, count: int, work: Work) -> list[list[object]]:
    """Do the work in as many processes; give what each returned, in their order."""
    return in_processes(_run, location, count, work)


def _run(location: str, number: int, work: Work, barrier: Barrier, answers: object) -> None:
    database = open_database(location, busy_wait=60)
    try:
        answer = work(execution_log(database), number, barrier)
    except BaseException as error:  # noqa: BLE001 - the test shows it
        barrier.abort()
        answer = [repr(error)]
    finally:
        database.close()
    answers.put((number, answer))


def claim_all(log: Log, number: int, barrier: Barrier, tasks: int = 100) -> list[object]:
    """Claim every task in order; give the numbers of those that were won."""
    won: list[object] = []
    for each in range(tasks):
        if each % 20 == 0:
            barrier.wait()
        claim_number = number * 1000 + each
        if isinstance(claim(log, claim_number, task=f"T-{each}"), Opened):
            won.append(each)
    return won


def write_five_times(log: Log, number: int, barrier: Barrier) -> list[object]:
    """Write twenty steps with the same ids as every other process, each five times."""
    barrier.wait()
    answers = []
    for each in range(20):
        for attempt in range(5):
            first = 0x100000 * (number + 1) + each * 100 + attempt * 10
            answer = write(log, step(each, plan_ref=f"T-{each}"), first=first)
            answers.append((answer.id, answer.seq, answer.kind, answer.attempt))
    return answers


def reap_all(log: Log, number: int, barrier: Barrier) -> list[object]:
    """Reap once, at the same moment as the others."""
    gone = Presence(
        host="here", boot="boot-2", is_alive=lambda *_: False, end_group=lambda *_: None
    )
    barrier.wait()
    return [found.task for found in reap(log, gone, new_id=ids(0x300000 * (number + 1)), at=AT)]


def close_all(log: Log, number: int, barrier: Barrier) -> list[object]:
    """Close the attempts that process 0 claimed: every process says that it was the wrapper."""
    barrier.wait()
    answers = []
    for each in range(20):
        end = ending(each, id=uuid(0x60000 + number * 100 + each), plan_ref=f"T-{each}")
        answer = close_attempt(log, end, new_id=ids(0x500000 * (number + 1) + each * 100))
        answers.append(answer.is_late)
    return answers
