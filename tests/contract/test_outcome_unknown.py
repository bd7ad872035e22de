"""A commit whose answer is lost: it is stored once, and the first answer is found again."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING

import pytest

from agentjournal.errors import OutcomeUnknownError
from agentjournal.execution.attempt import Opened
from agentjournal.execution.project import add_plan
from agentjournal.execution.reap import Presence, reap
from agentjournal.execution.resolve import discover, reopen_ruled_out, resolve
from support.execution import (
    AT,
    SLUG,
    claim,
    close,
    events,
    failed,
    ids,
    plan,
    project,
    step,
    uuid,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentjournal.log.log import Log
    from agentjournal.storage.database import Database

SAID = {"event_id": uuid(0x999), "actor": "ada", "at": AT}
GONE = Presence(host="elsewhere", boot="b", is_alive=lambda *_: False, end_group=lambda *_: None)


def lose_answers(monkeypatch: pytest.MonkeyPatch, database: Database, times: int) -> None:
    """Let the next commits go through and their answers get lost."""
    whole, numbers = database.transaction, count()

    @contextmanager
    def unsure():
        with whole() as tx:
            yield tx
        if next(numbers) < times:
            raise OutcomeUnknownError("The commit may be stored.", next="Try again.")

    monkeypatch.setattr(database, "transaction", unsure)


WRITES: dict[str, Callable[[Log], object]] = {
    "log": lambda log: write(log, step(1)),
    "claim": lambda log: claim(log, 1),
    "resolve": lambda log: resolve(log, SLUG, "T-1", "retry", "So", **SAID),
    "discover": lambda log: discover(log, SLUG, "More", **SAID),
    "plan": lambda log: add_plan(log, "other", plan(), ids=ids(0x500), actor="me", at=AT),
}


@pytest.mark.parametrize("name", WRITES)
def test_a_lost_answer_is_asked_for_again_and_nothing_is_stored_twice(
    database: Database, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    log = project(database)
    before = len(events(log))
    lose_answers(monkeypatch, database, times=1)
    answer = WRITES[name](log)
    monkeypatch.undo()
    stored = len(events(log))
    assert answer.is_repeat
    again = WRITES[name](log)
    assert len(events(log)) == stored
    assert stored > before or name == "plan"
    assert vars(again) == vars(answer)


def test_closes_and_reopened_options_are_stored_once_too(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = project(database)
    first = write(log, failed(1))
    claim(log, 2)
    lose_answers(monkeypatch, database, times=1)
    assert close(log, 2, None).is_repeat
    monkeypatch.undo()
    lose_answers(monkeypatch, database, times=1)
    assert reopen_ruled_out(log, f"{first.id}#1", "So", **SAID, new_id=ids(0x7B000)).is_repeat
    assert [event.kind for event in events(log)][-2:] == ["close", "reopen"]


def test_a_reaper_whose_answer_was_lost_still_says_whom_it_closed(
    database: Database, monkeypatch: pytest.MonkeyPatch, clock
) -> None:
    log = project(database)
    assert isinstance(claim(log, 1), Opened)
    clock.advance(10_000)
    lose_answers(monkeypatch, database, times=1)
    gone = reap(log, GONE, new_id=ids(0x800), at=AT)
    assert [each.task for each in gone] == ["T-1"]


def test_an_answer_that_is_lost_twice_is_told(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = project(database)
    lose_answers(monkeypatch, database, times=2)
    with pytest.raises(OutcomeUnknownError):
        write(log, step(1))
    monkeypatch.undo()
    assert write(log, step(1)).is_repeat
