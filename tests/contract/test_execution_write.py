"""What is written, on both engines: steps, the attempts that they end, and how often."""

from dataclasses import replace

import pytest

from agentjournal.errors import ConflictError, InputError
from agentjournal.execution.project import add_plan, register_project
from agentjournal.execution.resolve import resolve
from agentjournal.execution.write import log_step
from agentjournal.log.verify import verify
from agentjournal.storage.database import Database
from support.execution import (
    AT,
    RULED_OUT,
    SLUG,
    claim,
    close,
    dump,
    events,
    execution_log,
    facts,
    failed,
    ids,
    plan,
    project,
    rows,
    step,
    task,
    token,
    uuid,
    write,
)


def refused(log, written) -> list[str]:
    before = len(events(log))
    with pytest.raises(InputError) as error:
        write(log, written)
    assert len(events(log)) == before
    assert all(fault.remedy for fault in error.value.faults)
    return [fault.field for fault in error.value.faults]


# Plans


def test_a_plan_is_registered_with_its_project_and_once(database: Database) -> None:
    log = project(database)
    assert [event.kind for event in events(log)] == ["project", "plan"]
    assert rows(database, "project")[0]["revision"] == 1
    assert {row["task"] for row in rows(database, "task")} == {"T-1", "T-2", "2", "2.1", "2.2"}
    assert rows(database, "touch")[0]["origin"] == "planned"
    with pytest.raises(ConflictError, match="a plan already"):
        add_plan(log, SLUG, plan(), ids=ids(500), actor="me", at=AT)


def test_adding_a_plan_again_with_the_same_ids_gives_the_first_answer(database: Database) -> None:
    log = project(database)
    added = add_plan(log, SLUG, plan(), ids=ids(1), actor="me", at=AT)
    assert (added.is_repeat, added.tasks, len(events(log))) == (True, 5, 2)


def test_a_project_may_be_registered_before_its_plan(database: Database) -> None:
    log = execution_log(database)
    given = {"slug": SLUG, "title": "Demo", "repository": "r-1", "actor": "me", "at": AT}
    assert register_project(log, event_id=uuid(900), **given) is True
    assert register_project(log, event_id=uuid(900), **given) is False
    with pytest.raises(ConflictError):
        register_project(log, event_id=uuid(901), **given)
    add_plan(log, SLUG, plan(), ids=ids(), actor="me", at=AT)
    assert rows(database, "project")[0]["repository"] == "r-1"


def test_ticked_tasks_are_done_and_leave_no_line_in_the_record(database: Database) -> None:
    box = task("2", 3, is_container=True, is_done=True, rank=2)
    log = project(database, task("T-1", 1, is_done=True), task("T-2", 2), box)
    assert (facts(log)["last_result"], facts(log)["last_end"]) == ("success", "import")
    assert facts(log, "2")["last_result"] is None
    assert rows(database, "record_line") == []
    write(log, step(1, plan_ref="T-2"))
    assert [row["n"] for row in rows(database, "record_line")] == [1]
    assert verify(log).is_good


def test_secrets_in_a_plan_are_replaced(database: Database) -> None:
    project(database, task("T-1", 1, text="Use AKIAIOSFODNN7EXAMPLE here"))
    assert "AKIAIOSFODNN7EXAMPLE" not in dump(database, "event")
    assert "[redacted:aws-access-key]" in dump(database)


# Steps


def test_a_step_without_an_attempt_opens_and_closes_one(database: Database) -> None:
    log = project(database)
    answer = write(log, step(1))
    assert (answer.kind, answer.task, answer.attempt, answer.notes) == ("close", "T-1", 1, ())
    assert [event.kind for event in events(log)[2:]] == ["attempt", "close"]
    assert (facts(log)["last_result"], facts(log)["open_attempt"]) == ("success", None)


def test_a_goal_that_was_left_out_is_the_tasks_title(database: Database) -> None:
    log = project(database)
    write(log, step(1))
    assert '"goal":"Title of T-1"' in str(rows(database, "step")[0]["handoff"])


def test_the_same_step_again_gives_the_first_answer(database: Database) -> None:
    log = project(database)
    first = write(log, step(1))
    later = replace(step(1), ended_at="2027-01-01T00:00:00.000000Z")
    for again in (write(log, step(1), first=0xF0000), write(log, later, first=0xF1000)):
        assert again == replace(first, is_repeat=True)
    assert len(events(log)) == 4


def test_other_content_under_the_same_id_is_refused(database: Database) -> None:
    log = project(database)
    write(log, step(1))
    for other in (step(1, action="Did more"), step(1, plan_ref="T-2"), replace(step(1), actor="x")):
        with pytest.raises(ConflictError, match="other content"):
            write(log, other)
    assert len(events(log)) == 4


def test_the_id_of_something_else_is_refused(database: Database) -> None:
    log = project(database)
    with pytest.raises(ConflictError):
        write(log, replace(step(1), id=uuid(1)))


def test_secrets_never_reach_the_store_and_the_answer_says_so(database: Database) -> None:
    log = project(database)
    secret = "AKIAIOSFODNN7EXAMPLE"  # noqa: S105 - from public documentation
    told = f"Key {secret}, token {token(9)}"
    written = step(
        1,
        action="Used " + secret,
        current_state=told,
        goal=told,
        log=told,
        artifacts=[{"kind": "log", "ref": "a", "note": told}],
        decisions=[{"point": told, "options": ["a", "b"], "chosen": "a", "why": told}],
        open_questions=[told],
    )
    answer = write(log, written)
    assert answer.redacted == ("attempt-token", "aws-access-key")
    assert secret not in dump(database, "event")
    assert token(9) not in dump(database, "event")


def test_a_difference_only_inside_a_redaction_is_none(database: Database) -> None:
    log = project(database)
    write(log, step(1, log="key AKIAIOSFODNN7EXAMPLE"))
    again = write(log, step(1, log="key [redacted:another-name]"))
    assert again.is_repeat
    with pytest.raises(ConflictError):
        write(log, step(1, log="key"))


def test_broken_characters_of_a_log_are_replaced_and_counted(database: Database) -> None:
    log = project(database)
    answer = write(log, step(1, log="a\0b\ud800c"))
    assert answer.notes == ("2 characters of the log replaced by U+FFFD",)
    assert events(log)[-1].body["log"] == "a\ufffdb\ufffdc"


def test_a_step_of_the_whole_project_belongs_to_no_task(database: Database) -> None:
    log = project(database)
    answer = write(log, step(1, plan_ref=None, ruled_out=[RULED_OUT]))
    assert (answer.kind, answer.task, answer.attempt) == ("step", None, None)
    assert rows(database, "ruled_out")[0]["task"] is None
    assert rows(database, "record_line") == []


def test_what_a_step_refers_to_has_to_be_there(database: Database) -> None:
    log = project(database)
    project(database, slug="other", first=0x700)
    foreign = write(log, replace(failed(1), project_slug="other"))
    assert refused(log, replace(step(2), project_slug="nowhere")) == ["project_slug"]
    assert refused(log, step(2, plan_ref="T-9", parent_id=foreign.id)) == ["plan_ref", "parent_id"]
    for item in (f"{foreign.id}#1", f"{uuid(5)}#1"):
        option = {"option": "x", "why": "y", "supersedes": item}
        assert refused(log, failed(2, ruled_out=[option])) == ["ruled_out[0].supersedes"]


def test_a_container_is_refused_with_its_open_children(database: Database) -> None:
    log = project(database)
    for number, name in enumerate(("T-1", "T-2", "2.1")):
        write(log, step(number, plan_ref=name))
    with pytest.raises(InputError) as error:
        write(log, step(9, plan_ref="2"))
    assert error.value.faults[0].remedy == "Name one of its open children: 2.2."


def test_parents_make_a_tree_at_most_eight_deep(database: Database) -> None:
    log = project(database)
    above = None
    for number in range(8):
        above = write(log, step(number, plan_ref=None, parent_id=above)).id
    assert refused(log, step(8, plan_ref=None, parent_id=above)) == ["parent_id"]


def test_done_before_its_dependencies_is_refused_by_hand(database: Database) -> None:
    log = project(database)
    assert refused(log, step(1, plan_ref="2.1")) == ["result"]
    assert write(log, failed(1, plan_ref="2.1")).kind == "close"
    write(log, step(2))
    write(log, step(3, plan_ref="T-2"))
    assert write(log, step(4, plan_ref="2.1")).kind == "close"


def test_a_task_that_a_person_let_go_on_may_be_done_without_what_was_skipped(
    database: Database,
) -> None:
    log = project(database)
    write(log, step(1, plan_ref="T-2"))
    resolve(log, SLUG, "T-1", "skip", "Nobody needs it", event_id=uuid(0x71), actor="ada", at=AT)
    with pytest.raises(InputError, match="open: T-1"):
        write(log, step(2, plan_ref="2.1"))
    resolve(log, SLUG, "2.1", "retry", "It stands", event_id=uuid(0x72), actor="ada", at=AT)
    assert write(log, step(2, plan_ref="2.1")).kind == "close"
    assert verify(log).is_good


# Kinds


def test_a_workers_own_step_is_progress_and_counts_at_once(database: Database) -> None:
    log = project(database)
    claim(log, 1)
    answer = write(log, failed(1, attempt=token(1)))
    assert (answer.kind, answer.attempt) == ("step", 1)
    assert "closed by its wrapper" in answer.notes[0]
    assert facts(log)["last_result"] is None
    assert facts(log)["open_attempt"] == 1
    assert rows(database, "ruled_out")[0]["is_in_force"] == 1


def test_an_attempt_opened_by_hand_is_closed_by_its_log(database: Database) -> None:
    log = project(database)
    claim(log, 1, holder="hand")
    answer = write(log, step(1, attempt=token(1)))
    assert (answer.kind, answer.attempt, answer.is_late) == ("close", 1, False)
    assert rows(database, "attempt")[0]["end_reason"] == "by_hand"
    assert rows(database, "lease") == []


def test_without_the_token_an_open_attempt_stays_open(database: Database) -> None:
    log = project(database)
    claim(log, 1, holder="hand")
    answer = write(log, step(1))
    assert (answer.kind, answer.task, answer.attempt) == ("step", "T-1", None)
    assert "its token would close it" in answer.notes[0]
    assert facts(log)["open_attempt"] == 1


def test_a_token_belongs_to_one_task(database: Database) -> None:
    log = project(database)
    claim(log, 1)
    assert refused(log, step(1, attempt=token(1), plan_ref="T-2")) == ["plan_ref"]
    assert refused(log, step(1, attempt=token(1), plan_ref=None)) == ["plan_ref"]


def test_an_unknown_token_is_quarantined_and_used_nowhere(database: Database) -> None:
    log = project(database)
    written = failed(
        1, attempt=token(7), touches=[{"kind": "file", "name": "a"}], action="Tried quince"
    )
    answer = write(log, written)
    assert (answer.kind, answer.attempt, answer.is_quarantined) == ("step", None, True)
    assert "kept apart" in answer.notes[0]
    assert rows(database, "project")[0]["quarantined"] == 1
    assert rows(database, "ruled_out") == []
    assert [row["name"] for row in rows(database, "touch")] == ["src/one.py"]
    assert facts(log)["closes"] == 0
    assert verify(log).is_good


def test_a_token_of_another_project_is_unknown_here(database: Database) -> None:
    log = project(database)
    project(database, slug="other", first=0x700)
    claim(log, 1, slug="other")
    assert write(log, step(1, attempt=token(1))).is_quarantined


def test_what_comes_after_the_close_is_late_and_changes_no_status(database: Database) -> None:
    log = project(database)
    claim(log, 1)
    close(log, 1, end="timeout")
    own = write(log, failed(1, attempt=token(1)))
    assert (own.kind, own.is_late) == ("step", True)
    again = close(
        log, 1, {"result": "success", "action": "Did it", "current_state": "x"}, id=uuid(0x999)
    )
    assert (again.kind, again.is_late) == ("close", True)
    assert (facts(log)["last_result"], facts(log)["closes"]) == ("partial", 1)
    assert rows(database, "ruled_out")[0]["is_in_force"] == 1
    assert "(attempt 1, late, worker-1)" in str(rows(database, "record_line")[1]["line"])
    assert verify(log).is_good


# Ruled out


def test_a_later_item_takes_an_earlier_one_out_of_force(database: Database) -> None:
    log = project(database)
    first = write(log, failed(1))
    option = {"option": "Poll", "why": "Only above 10 s", "supersedes": f"{first.id}#1"}
    second = write(log, failed(2, ruled_out=[option]))
    items = {row["id"]: row for row in rows(database, "ruled_out")}
    assert items[f"{first.id}#1"]["is_in_force"] == 0
    assert items[f"{first.id}#1"]["superseded_by"] == f"{second.id}#1"
    assert items[f"{second.id}#1"]["is_in_force"] == 1


def test_a_worker_that_repeats_itself_rules_out_once_and_newly(database: Database) -> None:
    log = project(database)
    claim(log, 1)
    write(log, failed(1, attempt=token(1)))
    form = {key: value for key, value in failed(1).flat().items() if key in FORM_KEYS}
    close(log, 1, form)
    assert len(rows(database, "ruled_out")) == 1
    assert facts(log)["has_new_ruled_out"] == 1
    write(log, failed(3))
    assert facts(log)["has_new_ruled_out"] == 0
    told_more = RULED_OUT | {"reopen_if": "date 2030-01-01"}
    write(log, failed(4, ruled_out=[told_more]))
    write(log, failed(5, ruled_out=[told_more]))
    conditions = {row["reopen_if"] for row in rows(database, "ruled_out")}
    assert (len(rows(database, "ruled_out")), conditions) == (2, {None, "date 2030-01-01"})


FORM_KEYS = {"result", "action", "current_state", "next_step", "ruled_out"}


def test_what_a_glob_matched_is_kept_with_the_option(database: Database) -> None:
    log = project(database)
    option = RULED_OUT | {"reopen_if": "path src/** changes"}
    log_step(log, failed(1, ruled_out=[option]), new_id=ids(0x800), blobs={"src/a.py": "1" * 40})
    assert "blobs" in str(rows(database, "ruled_out")[0]["observed"])


def test_every_text_of_a_claim_is_found_by_its_words(database: Database) -> None:
    log = project(database)
    write(log, failed(1, ruled_out=[{"option": "Retries of retries", "why": "A retry storm"}]))
    weights = {row["word"]: row["weight"] for row in rows(database, "claim_word")}
    assert weights["retry"] == 2 + 2 + 1
    assert weights["storm"] == 1
