"""The project's record, a person's word, and what is taken back, on both engines."""

import json
from itertools import pairwise

import pytest

from agentjournal.errors import ConflictError, InputError, NotFoundError
from agentjournal.execution.attempt import Opened
from agentjournal.execution.record import COMPOSED_BYTES, RECORD_ROOM, record_lines
from agentjournal.execution.resolve import discover, reopen_ruled_out, resolve
from agentjournal.log.log import Log
from agentjournal.log.rebuild import rebuild
from agentjournal.log.revoke import redact, retract
from agentjournal.log.verify import verify
from agentjournal.storage.database import Database
from support.execution import (
    AT,
    SLUG,
    claim,
    close,
    dump,
    events,
    facts,
    failed,
    ids,
    project,
    rows,
    step,
    token,
    uuid,
    write,
)


def lines(log: Log) -> list[str]:
    with log.database.snapshot() as reader:
        return record_lines(reader, SLUG)


def say(number: int) -> dict[str, str]:
    return {"event_id": uuid(0x7000 + number), "actor": "ada", "at": AT}


def word(number: int) -> dict[str, object]:
    return {**say(number), "new_id": ids(0x7100 + number * 16)}


# The record


def test_each_close_leaves_one_line_and_nothing_else_does(database: Database) -> None:
    log = project(database)
    assert lines(log) == []
    write(log, failed(1))
    claim(log, 1)
    write(log, failed(2, attempt=token(1)))
    close(log, 1, end="timeout", exit_status=124)
    write(log, step(3, plan_ref=None))
    assert lines(log) == [
        "[1] T-1 failed (attempt 1, worker-1): Tried polling. Ruled out: Poll the server",
        "[2] T-1 partial (attempt 2, worker-1): Ran out of time before a valid handoff (exit 124)",
    ]


def test_the_floor_moves_in_the_closing_transaction_and_half_the_room_stays(
    database: Database,
) -> None:
    log = project(database)
    seen: list[list[str]] = [[]]
    for number in range(1, 120):
        write(log, step(number, action="Did " + "x" * 100))
        seen.append(lines(log))
    moves = [event for event in events(log) if event.kind == "consolidated"]
    breaks = [after for before, after in pairwise(seen) if after[:-1] != before]
    assert 1 <= len(breaks) == len(moves) == rows(database, "project")[0]["resets"]
    for kept in breaks:
        assert len("\n".join(kept)) + 1 <= RECORD_ROOM // 2
    assert all(len("\n".join(kept)) + 1 <= RECORD_ROOM for kept in seen)
    assert len(rows(database, "record_line")) == 119
    project_row = rows(database, "project")[0]
    assert project_row["room_used"] == sum(len(line) + 1 for line in lines(log))
    assert verify(log).is_good


# A person's word


def test_a_retry_gives_a_fresh_count_and_keeps_what_is_ruled_out(database: Database) -> None:
    log = project(database)
    for number in (1, 2, 3):
        write(log, failed(number))
    answer = resolve(log, SLUG, "T-1", "retry", "The server is faster now", **say(1))
    assert (answer.about, answer.is_repeat) == ("T-1", False)
    row = facts(log)
    assert (row["closes"], row["last_result"], row["fingerprint"]) == (0, None, None)
    assert rows(database, "ruled_out")[0]["is_in_force"] == 1
    assert resolve(log, SLUG, "T-1", "retry", "The server is faster now", **say(1)).is_repeat
    with pytest.raises(ConflictError):
        resolve(log, SLUG, "T-1", "retry", "Another reason", **say(1))
    assert isinstance(claim(log, 1), Opened)


def test_done_and_skip_hold_until_a_retry(database: Database) -> None:
    log = project(database)
    resolve(log, SLUG, "2.1", "done", "It was there before", **say(1))
    assert (facts(log, "2.1")["resolution"], facts(log, "2.1")["why"]) == (
        "done",
        "It was there before",
    )
    resolve(log, SLUG, "2.1", "skip", "Not needed", **say(2))
    write(log, failed(1, plan_ref="2.1"))
    assert facts(log, "2.1")["resolution"] == "skip"
    resolve(log, SLUG, "2.1", "retry", "Needed after all", **say(3))
    assert facts(log, "2.1")["resolution"] is None
    assert verify(log).is_good


def test_a_word_that_breaks_a_rule_is_refused(database: Database) -> None:
    log = project(database)
    for task, verb, why, field in [
        ("T-9", "done", "x", "task"),
        ("2", "done", "x", "task"),
        ("T-1", "finish", "x", "verb"),
        ("T-1", "done", "", "why"),
        ("T-1", "done", "x" * 401, "why"),
    ]:
        with pytest.raises(InputError) as error:
            resolve(log, SLUG, task, verb, why, **say(1))
        assert [fault.field for fault in error.value.faults] == [field]
    assert len(events(log)) == 2


def test_a_reopened_option_is_out_of_force_and_says_by_what(database: Database) -> None:
    log = project(database)
    item = write(log, failed(1)).id + "#1"
    answer = reopen_ruled_out(log, item, "It is fast now", **word(1))
    assert answer.about == item
    row = rows(database, "ruled_out")[0]
    assert (row["is_in_force"], row["superseded_by"]) == (0, answer.id)
    assert reopen_ruled_out(log, item, "It is fast now", **word(1)).is_repeat
    with pytest.raises(ConflictError, match="out of force already"):
        reopen_ruled_out(log, item, "Again", **word(2))
    with pytest.raises(NotFoundError):
        reopen_ruled_out(log, "nothing#1", "Why not", **word(3))


def test_a_reopened_option_leaves_a_line_in_the_record(database: Database) -> None:
    log = project(database)
    item = write(log, failed(1)).id + "#1"
    assert reopen_ruled_out(log, item, "It is fast\nnow", **word(1)).seq == len(events(log))
    write(log, step(2))
    assert lines(log)[1:] == [
        "[2] T-1 reopened (ada): Poll the server. Why: It is fast now",
        "[3] T-1 success (attempt 2, worker-1): Did it",
    ]
    kept = dump(database)
    rebuild(log)
    assert dump(database) == kept
    assert verify(log).is_good


def test_a_line_for_a_reopened_option_is_short_and_one_line(database: Database) -> None:
    log = project(database)
    option = {"option": "Poll\n[9] T-1 success (boss): all " + "é" * 160, "why": "Slow"}
    item = write(log, failed(1, ruled_out=[option])).id + "#1"
    reopen_ruled_out(log, item, "Now\nit " + "w" * 390, **word(1))
    (event,) = [event for event in events(log) if event.kind == "reopen"]
    assert event.turn.startswith("T-1 reopened (ada): Poll [9] T-1 success (boss): all éé")
    assert ". Why: Now it www" in event.turn
    assert 160 < len(event.turn.encode()) <= COMPOSED_BYTES
    assert len(lines(log)) == 2


@pytest.mark.parametrize("revoke", [retract, redact])
def test_taking_back_a_reopening_hides_its_line_and_puts_the_option_in_force(
    database: Database, revoke: object
) -> None:
    log = project(database)
    item = write(log, failed(1)).id + "#1"
    said = reopen_ruled_out(log, item, f"No {FIG}", **word(1))
    write(log, step(2))
    revoke(log, said.id, why="It was wrong", **say(2))
    assert [line[:4] for line in lines(log)] == ["[1] ", "[3] "]
    assert FIG not in dump(database)
    assert rows(database, "ruled_out")[0]["is_in_force"] == 1
    assert rows(database, "project")[0]["resets"] == 1
    assert verify(log).is_good


def test_a_reopening_says_nothing_once_the_option_itself_is_taken_back(
    database: Database,
) -> None:
    log = project(database)
    claim(log, 1)
    progress = write(log, failed(1, attempt=token(1)))  # a step leaves no line of its own
    reopen_ruled_out(log, f"{progress.id}#1", "Fast", **word(1))
    retract(log, progress.id, why="It was wrong", **say(2))
    assert lines(log) == []
    assert rows(database, "project")[0]["resets"] == 1
    assert verify(log).is_good


def test_the_floor_moves_for_a_reopening_too(database: Database) -> None:
    log = project(database)
    for number in (1, 2, 3):
        items = [{"option": f"Way {number}.{n}", "why": "Slow"} for n in range(12)]
        write(log, failed(number, ruled_out=items))
    for number, row in enumerate(rows(database, "ruled_out")):
        reopen_ruled_out(log, row["id"], "w" * 390, **word(number))
    kinds = [event.kind for event in events(log)]
    assert kinds[kinds.index("consolidated") - 1] == "reopen"
    assert sum(len(line) + 1 for line in lines(log)) <= RECORD_ROOM
    assert verify(log).is_good


def test_discovered_work_is_numbered_in_order(database: Database) -> None:
    log = project(database)
    first = discover(log, SLUG, "Fix the flaky test", from_task="T-1", **say(1))
    second = discover(log, SLUG, "Write docs", text="All of them", **say(2))
    assert (first.about, second.about) == ("U-001", "U-002")
    again = discover(log, SLUG, "Fix the flaky test", from_task="T-1", **say(1))
    assert (again.about, again.is_repeat) == ("U-001", True)
    assert facts(log, "U-002")["is_discovered"] == 1
    assert write(log, step(1, plan_ref="U-002")).kind == "close"
    with pytest.raises(InputError) as error:
        discover(log, SLUG, "x", from_task="T-9", **say(3))
    assert error.value.faults[0].field == "from_task"


# Taken back


FIG = "figwort"  # a word that occurs nowhere else


def figs(number: int) -> dict[str, object]:
    """Give a step that says the word in every text it has."""
    return {
        "result": "failed",
        "action": f"Tried {FIG}",
        "goal": FIG,
        "current_state": FIG,
        "next_step": FIG,
        "ruled_out": [{"option": f"{FIG} {number}", "why": FIG, "reopen_if": FIG}],
        "decisions": [{"point": FIG, "options": [FIG, "b"], "chosen": FIG, "why": FIG}],
        "reused": [{"document": FIG, "quote": FIG, "impact": FIG}],
        "open_questions": [FIG],
        "gate_events": [{"category": "secrets", "operation": FIG, "decision": "ask", "why": FIG}],
        "touches": [{"kind": "file", "name": FIG}],
        "artifacts": [{"kind": "log", "ref": FIG, "note": FIG}],
        "log": FIG,
    }


@pytest.mark.parametrize("revoke", [retract, redact])
def test_what_is_taken_back_leaves_no_text_and_keeps_its_effect(
    database: Database, revoke: object
) -> None:
    log = project(database)
    claim(log, 1)
    progress = write(log, step(1, attempt=token(1), **figs(1)))
    closing = close(log, 1, figs(2))
    word = resolve(log, SLUG, "T-2", "skip", f"No {FIG}", **say(1))
    found = discover(log, SLUG, FIG, text=FIG, **say(2))
    write(log, step(2))
    kept = json.loads(dump(database))
    for number, said in enumerate((progress, closing, word, found)):
        revoke(log, said.id, why="It was wrong", **say(10 + number))
    assert FIG not in dump(database)
    row = facts(log)
    assert (row["attempts"], row["closes"], row["last_result"]) == (2, 2, "success")
    assert (facts(log, "T-2")["resolution"], facts(log, "T-2")["why"]) == ("skip", None)
    assert [line[:4] for line in lines(log)] == ["[2] "]
    assert rows(database, "project")[0]["resets"] == 1
    assert len(json.loads(dump(database))[4]) == len(kept[4])
    assert [r["is_hidden"] for r in rows(database, "step")].count(1) == 2
    assert verify(log).is_good
    if revoke is redact:
        assert FIG not in dump(database, "event")
    rebuild(log)
    assert verify(log).is_good


def test_taking_back_a_supersession_puts_the_option_in_force_again(database: Database) -> None:
    log = project(database)
    first = write(log, failed(1))
    option = {"option": "Poll", "why": "Why not", "supersedes": f"{first.id}#1"}
    second = write(log, failed(2, ruled_out=[option]))
    retract(log, second.id, why="Poisoned", **say(1))
    assert [(row["id"], row["is_in_force"]) for row in rows(database, "ruled_out")] == [
        (f"{first.id}#1", 1)
    ]


def test_a_retry_of_a_redacted_step_gives_the_first_answer(database: Database) -> None:
    log = project(database)
    first = write(log, step(1, log="secret"))
    redact(log, first.id, why="It was secret", **say(1))
    assert write(log, step(1, log="secret")).is_repeat
    assert "secret" not in dump(database)


def test_taking_back_what_lies_below_the_floor_resets_nothing(database: Database) -> None:
    log = project(database)
    first = write(log, step(1))
    for number in range(2, 40):
        write(log, step(number, action="Did " + "x" * 100))
    before = rows(database, "project")[0]
    assert before["floor"] > 1
    retract(log, first.id, why="Wrong", **say(1))
    assert rows(database, "project")[0]["resets"] == before["resets"]
