"""Attempts on both engines: who gets one, how it ends, and what is kept of its worker."""

import json
from dataclasses import replace

import pytest

from agentjournal.errors import ConflictError, InputError, NotFoundError
from agentjournal.execution.attempt import Held, NotReady, Opened, heartbeat, set_worker
from agentjournal.execution.claims import why
from agentjournal.execution.context import get_task_context
from agentjournal.execution.policy import Limits
from agentjournal.execution.reap import Presence, reap
from agentjournal.log.verify import verify
from agentjournal.recall.logged import LoggedClaims
from agentjournal.recall.tried import tried
from agentjournal.storage.database import Database
from agentjournal.storage.statement import parse_statement
from support.clock import SettableClock
from support.execution import (
    AT,
    LEASE,
    RULED_OUT,
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
    task,
    token,
    uuid,
    write,
)

FORM_KEYS = ("result", "action", "current_state", "next_step", "ruled_out")
DONE = {"result": "success", "action": "Did it", "current_state": "It is done"}


def presence(**more: object) -> Presence:
    given = {
        "host": "here",
        "boot": "boot-1",
        "is_alive": lambda *_: True,
        "end_group": lambda *_: None,
    }
    return Presence(**given | more)


# Claims


def test_of_two_claimants_one_gets_the_task(database: Database) -> None:
    log = project(database)
    assert claim(log, 1) == Opened(number=1, fence=3, revision=1)
    assert claim(log, 2) == Held("worker-1", "2026-01-31T09:15:00.000000Z")
    assert claim(log, 3, task="T-2") == Opened(number=1, fence=4, revision=1)


def test_a_claim_repeated_with_its_token_gets_the_first_answer_for_ever(database: Database) -> None:
    log = project(database)
    first = claim(log, 1)
    again = replace(first, is_repeat=True)
    assert claim(log, 1) == again
    close(log, 1, DONE)
    assert claim(log, 1) == again
    with pytest.raises(ConflictError):
        claim(log, 1, token=token(2))
    assert [event.kind for event in events(log)] == ["project", "plan", "attempt", "close"]


def test_numbers_count_per_task_and_fences_grow(database: Database) -> None:
    log = project(database)
    first = claim(log, 1)
    close(log, 1)
    second = claim(log, 2)
    assert (first.number, second.number) == (1, 2)
    assert second.fence > first.fence


def test_what_is_not_ready_is_not_opened_and_says_why(database: Database) -> None:
    log = project(database)
    assert claim(log, 1, task="2.1") == NotReady("pending")
    write(log, step(1))
    assert claim(log, 1) == NotReady("done")
    for number in (2, 3):
        assert isinstance(claim(log, number, task="T-2", limits=Limits(max_attempts=2)), Opened)
        close(log, number, plan_ref="T-2", end="contract_missing")
    answer = claim(log, 4, task="T-2", limits=Limits(max_attempts=2))
    assert isinstance(answer, NotReady)
    assert answer.status.startswith("blocked")


def test_a_claim_that_breaks_a_rule_is_refused_and_never_shows_its_token(
    database: Database,
) -> None:
    log = project(database)
    for broken, field in [
        ({"claim_id": "1"}, "claim_id"),
        ({"token": "aj-secret"}, "token"),
        ({"holder": "me"}, "holder"),
        ({"actor": "a b"}, "actor"),
        ({"task": "T-9"}, "task"),
        ({"task": "2"}, "task"),
        ({"slug": "nowhere"}, "project_slug"),
    ]:
        with pytest.raises(InputError) as error:
            claim(log, 1, **broken)
        assert [fault.field for fault in error.value.faults] == [field]
        assert "aj-" not in str(error.value)


def test_no_token_is_stored_anywhere(database: Database) -> None:
    log = project(database)
    claim(log, 1)
    write(log, failed(1, attempt=token(1)))
    close(log, 1, f"I was given {token(1)} and this is no handoff")
    assert token(1) not in dump(database, "event", "lease")
    assert "aj-" not in dump(database, "event", "lease")


def test_a_heartbeat_extends_by_the_databases_clock(
    database: Database, clock: SettableClock
) -> None:
    log = project(database)
    claim(log, 1)
    at = {"slug": SLUG, "task": "T-1", "number": 1, "seconds": 900}
    clock.advance(1000)
    assert heartbeat(log, **at) is True
    assert rows(database, "lease")[0]["until"] == "2026-01-31T09:31:40.000000Z"
    close(log, 1)
    assert heartbeat(log, **at) is False


# Ends


def test_a_valid_handoff_closes_the_attempt_whatever_the_exit_status(database: Database) -> None:
    log = project(database)
    claim(log, 1)
    answer = close(log, 1, DONE, end="exit_nonzero", exit_status=3)
    assert (answer.kind, answer.faults) == ("close", ())
    body = events(log)[-1].body
    assert (body["end"], body["exit_status"], body["result"]) == ("handoff", 3, "success")
    assert facts(log)["last_result"] == "success"
    assert rows(database, "lease") == []


def test_the_answer_says_what_was_stored_of_the_attempt(database: Database) -> None:
    log = project(database)
    said = []
    for number, written in [(1, None), (2, failed(0).flat())]:
        claim(log, number)
        form = {key: written[key] for key in FORM_KEYS} if written else None
        answer = close(log, number, form, end="exit_nonzero", exit_status=1)
        said.append((answer.result, answer.end))
    assert said == [("partial", "exit_nonzero"), ("failed", "handoff")]
    progress = write(log, step(3, plan_ref=None))
    assert (progress.result, progress.end) == ("success", None)


def test_acceptance_failed_stays_the_word_for_a_valid_handoff(database: Database) -> None:
    log = project(database)
    claim(log, 1)
    failed_form = {**DONE, "result": "partial", "next_step": "Fix the test"}
    close(log, 1, failed_form, end="acceptance_failed")
    assert facts(log)["last_end"] == "acceptance_failed"


def test_a_stop_is_no_success(database: Database) -> None:
    ends = ["contract_missing", "exit_nonzero", "signal", "timeout", "no_stop_event"]
    log = project(database, *(task(f"T-{number}", number + 1) for number in range(len(ends))))
    for number, end in enumerate(ends):
        name = f"T-{number}"
        claim(log, number, task=name)
        close(log, number, plan_ref=name, end=end, exit_status=9, output="Traceback: boom 1")
        row = facts(log, name)
        assert (row["last_result"], row["last_end"], row["closes"]) == ("partial", end, 1)
        assert row["crashes"] == (end in {"signal", "timeout", "no_stop_event"})
        assert row["contracts_missing"] == (end == "contract_missing")
        assert "Last output:\nTraceback: boom 1" in str(events(log)[-1].body["log"])


def test_a_clock_that_was_set_back_costs_no_handoff(database: Database) -> None:
    log = project(database)
    claim(log, 1)
    answer = close(log, 1, DONE, started_at="2026-12-31T00:00:00.000000Z")
    assert answer.faults == ()
    assert facts(log)["last_result"] == "success"


def test_a_worker_that_could_not_be_started_uses_no_attempt_up(database: Database) -> None:
    log = project(database)
    claim(log, 1)
    close(log, 1, DONE, end="spawn_failed", exit_status=127)
    assert (facts(log)["closes"], facts(log)["last_end"]) == (0, "spawn_failed")
    assert facts(log)["last_result"] == "partial"


def test_the_same_failure_again_has_the_same_fingerprint(database: Database) -> None:
    log = project(database)
    seen = []
    for number, output in enumerate(["E in /a/b line 3", "E in /c/d line 4", "Other"], start=1):
        assert isinstance(claim(log, number), Opened)
        option = {"option": f"Way {number}", "why": "It fails"}
        form = failed(0, ruled_out=[option]).flat()
        close(log, number, {key: form[key] for key in FORM_KEYS}, output=output)
        seen.append(facts(log)["is_same_fingerprint"])
    assert seen == [0, 1, 0]


def test_ending_twice_gives_the_first_answer(database: Database) -> None:
    log = project(database)
    claim(log, 1)
    first = close(log, 1, DONE)
    assert close(log, 1, DONE) == replace(first, is_repeat=True)
    assert close(log, 1, "something else").is_repeat
    assert len(rows(database, "step")) == 1


def test_the_end_of_an_unknown_attempt_is_kept_apart(database: Database) -> None:
    log = project(database)
    answer = close(log, 7, DONE)
    assert (answer.kind, answer.is_quarantined) == ("step", True)
    assert facts(log)["last_result"] is None
    with pytest.raises(NotFoundError):
        close(log, 7, DONE, project_slug="nowhere")


def test_only_what_is_not_valid_of_a_handoff_becomes_text(database: Database) -> None:
    log = project(database)
    claim(log, 1)
    kept = {
        "action": "Tried polling",
        "next_step": "Use a queue",
        "ruled_out": [RULED_OUT],
        "decisions": [{"point": "Where", "options": ["a", "b"], "chosen": "a", "why": "So"}],
        "open_questions": ["Which port?"],
        "touches": [{"kind": "file", "name": "src/one.py"}],
        "artifacts": [{"kind": "commit", "ref": "abc"}],
        "token_usage": {"input_tokens": 0},
    }
    wrong = {
        "result": "failed",
        "current_state": {"a": 1},
        "summary": "A summary",
        "ruled_out": [RULED_OUT, {"option": "No reason"}, "A sentence"],
        "touches": [*kept["touches"], {"kind": "file", "name": "/etc/passwd"}],
    }
    answer = close(log, 1, kept | wrong, end="exit_nonzero", exit_status=1, output="boom")
    assert (answer.result, answer.end) == ("partial", "exit_nonzero")
    body = events(log)[-1].body
    flat = {**body, **body["handoff"]}
    assert {name: flat[name] for name in kept} == kept
    assert "current_state" not in body["handoff"]
    for text in ('"result": "failed"', '"a": 1', "A summary", "No reason", "A sentence", "passwd"):
        assert text in str(body["log"])
    assert "It takes 40 s a call" not in str(body["log"])
    assert [row["what"] for row in rows(database, "ruled_out")] == ["Poll the server"]
    assert verify(log).is_good


def test_a_sentence_that_is_too_long_is_cut_inside_its_limit_and_kept_whole_as_text(
    database: Database,
) -> None:
    log = project(database)
    claim(log, 1)
    limits = {"action": 120, "goal": 300, "current_state": 1200, "next_step": 500}
    long = {name: f"{name} " + "é" * cap for name, cap in limits.items()}
    close(log, 1, {"result": "partial", **long})
    body = events(log)[-1].body
    for name, cap in limits.items():
        text = {**body, **body["handoff"]}[name]
        assert (len(text), text[-1]) == (cap, "…")
        assert long[name] in str(body["log"])


def test_what_is_kept_of_a_handoff_has_room_in_it(database: Database) -> None:
    log = project(database)
    claim(log, 1)
    options = [{"option": f"{n} " + "o" * 190, "why": "w" * 390} for n in range(13)]
    close(log, 1, DONE | {"ruled_out": options, "goal": "g" * 300})
    body = events(log)[-1].body
    assert len(json.dumps(body["handoff"])) <= 6 * 1024
    kept = [item["option"] for item in body["handoff"]["ruled_out"]]
    assert kept == [item["option"] for item in options[: len(kept)]]
    assert len(kept) > 8
    for item in options[len(kept) :]:
        assert item["option"] in str(body["log"])


def test_an_option_that_supersedes_nothing_is_kept_without_that(database: Database) -> None:
    log = project(database)
    claim(log, 1)
    option = {"option": "Polling", "why": "Slow", "supersedes": f"{uuid(5)}#1"}
    answer = close(log, 1, DONE | {"ruled_out": [option]})
    assert [fault.field for fault in answer.faults] == ["ruled_out[0].supersedes"]
    body = events(log)[-1].body
    assert (body["result"], body["end"]) == ("partial", "contract_missing")
    assert f"{uuid(5)}#1" in str(body["log"])
    (row,) = rows(database, "ruled_out")
    assert (row["what"], row["supersedes"], row["is_in_force"]) == ("Polling", None, 1)


def test_the_last_words_stand_where_nothing_was_handed_off(database: Database) -> None:
    log = project(database)
    output = "Traceback\n  File x\nRuntimeError: boom " + "é" * 400 + "\n\n```\n"
    for number, written in [(1, None), (2, "no form at all")]:
        claim(log, number)
        close(log, number, written, end="exit_nonzero", exit_status=1, output=output)
        state = events(log)[-1].body["handoff"]["current_state"]
        assert state.startswith("Last output: RuntimeError: boom é")
        assert len(state.encode()) <= 300
    claim(log, 3, limits=Limits(9))
    close(log, 3)
    assert "handoff" not in events(log)[-1].body


def test_what_a_dying_worker_ruled_out_reaches_context_and_why_and_tried(
    database: Database,
) -> None:
    log = project(database)
    claim(log, 1)
    close(log, 1, failed(0).flat() | {"summary": "x"}, output="boom")
    context = get_task_context(log, SLUG, "T-1")
    assert "- Poll the server: It takes 40 s a call" in context
    assert "## Latest handoff: attempt 1, partial (contract_missing)" in context
    assert "Next: Use a queue" in context
    assert "Poll the server" in why(log, SLUG, "polling")
    assert "Poll the server" in tried([LoggedClaims(database)], "poll the server").text


def test_last_words_are_told_and_hide_no_handoff_that_was_written(database: Database) -> None:
    log = project(database)
    claim(log, 1)
    close(log, 1, {key: failed(0).flat()[key] for key in FORM_KEYS})
    claim(log, 2)
    close(log, 2, end="signal", output="Killed")
    context = get_task_context(log, SLUG, "T-1")
    assert "## Latest handoff: attempt 1, failed" in context
    assert "- Attempt 2 partial (signal): Was killed" in context
    assert "(exit 0). Last output: Killed [worker-2 " in context


# The reaper


def test_an_attempt_whose_lease_ran_out_is_closed_once(
    database: Database, clock: SettableClock
) -> None:
    log = project(database)
    claim(log, 1)
    assert reap(log, presence(), new_id=ids(0x4000), at=AT) == []
    clock.advance(LEASE.seconds + 1)
    (reaped,) = reap(log, presence(), new_id=ids(0x4000), at=AT)
    assert (reaped.task, reaped.number, reaped.reason) == ("T-1", 1, "its lease ran out")
    assert reap(log, presence(), new_id=ids(0x4100), at=AT) == []
    row = rows(database, "step")[0]
    assert (row["actor"], row["result"], row["end_reason"]) == (
        "reaper",
        "partial",
        "no_stop_event",
    )
    assert rows(database, "lease") == []
    assert isinstance(claim(log, 2), Opened)


def test_an_attempt_whose_wrapper_is_gone_is_closed_after_its_worker_is_ended(
    database: Database,
) -> None:
    log = project(database)
    claim(log, 1)
    set_worker(log, slug=SLUG, task="T-1", number=1, pid=101, started="7")
    asked, ended = [], []

    def is_alive(pid: int, started: str) -> bool:
        asked.append((pid, started))
        return False

    def end_group(pid: int, started: str) -> None:
        assert facts(log)["open_attempt"] == 1
        ended.append((pid, started))

    here = presence(is_alive=is_alive, end_group=end_group)
    (reaped,) = reap(log, here, new_id=ids(0x4000), at=AT, slug=SLUG)
    assert reaped.reason == "its wrapper is gone"
    assert set(asked) == {(100, "1")}
    assert ended == [(101, "7")]


def test_nobody_is_ended_on_another_machine_or_after_a_restart(
    database: Database, clock: SettableClock
) -> None:
    log = project(database)
    never = {"end_group": lambda *_: pytest.fail("ended somebody")}
    claim(log, 1)
    set_worker(log, slug=SLUG, task="T-1", number=1, pid=101, started="7")
    elsewhere = presence(host="there", is_alive=lambda *_: False, **never)
    assert reap(log, elsewhere, new_id=ids(0x4000), at=AT) == []
    rebooted = presence(boot="boot-2", **never)
    assert len(reap(log, rebooted, new_id=ids(0x4000), at=AT)) == 1
    claim(log, 2)
    clock.advance(LEASE.seconds + 1)
    assert len(reap(log, elsewhere, new_id=ids(0x4100), at=AT)) == 1


def test_a_heartbeat_between_the_reapers_two_looks_saves_the_attempt(
    database: Database, clock: SettableClock
) -> None:
    log = project(database)
    claim(log, 1)
    set_worker(log, slug=SLUG, task="T-1", number=1, pid=101, started="7")
    clock.advance(LEASE.seconds + 1)

    def end_group(*_: object) -> None:
        heartbeat(log, slug=SLUG, task="T-1", number=1, seconds=900)

    assert reap(log, presence(end_group=end_group), new_id=ids(0x4000), at=AT) == []
    assert facts(log)["open_attempt"] == 1


def test_what_a_dead_workers_desk_holds_is_taken_when_it_is_its_own(
    database: Database, clock: SettableClock
) -> None:
    log = project(database)
    claim(log, 1)
    claim(log, 2, task="T-2")
    clock.advance(LEASE.seconds + 1)
    desks = {"T-1": DONE | {"attempt": token(1)}, "T-2": DONE | {"attempt": token(1)}}
    reap(log, presence(), new_id=ids(0x4000), at=AT, left=lambda found: desks[found.task])
    assert (facts(log)["last_result"], facts(log)["last_end"]) == ("success", "handoff")
    assert facts(log, "T-2")["last_result"] == "partial"


def test_a_second_reaper_finds_nothing_left(database: Database, clock: SettableClock) -> None:
    log = project(database)
    claim(log, 1)
    set_worker(log, slug=SLUG, task="T-1", number=1, pid=101, started="7")
    clock.advance(LEASE.seconds + 1)
    second = []

    def end_group(*_: object) -> None:
        second.extend(reap(log, presence(), new_id=ids(0x4100), at=AT))

    assert reap(log, presence(end_group=end_group), new_id=ids(0x4000), at=AT) == []
    assert len(second) == 1
    assert [event.kind for event in events(log)].count("close") == 1


def test_a_lease_that_ran_out_still_takes_its_close(
    database: Database, clock: SettableClock
) -> None:
    log = project(database)
    claim(log, 1)
    clock.advance(LEASE.seconds + 1)
    assert close(log, 1, DONE).is_late is False
    assert facts(log)["last_result"] == "success"


def test_an_attempt_without_a_lease_has_run_out(database: Database) -> None:
    log = project(database)
    claim(log, 1)
    with database.transaction() as tx:
        tx.run(parse_statement("no_leases", "DELETE FROM {schema}lease"))
    assert len(reap(log, presence(), new_id=ids(0x4000), at=AT)) == 1
    assert verify(log).is_good
