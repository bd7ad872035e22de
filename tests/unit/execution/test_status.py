"""The one word for where a task stands, from facts alone."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentjournal.execution.dispatch import dispatch_order
from agentjournal.execution.policy import Limits
from agentjournal.execution.status import Word, statuses
from agentjournal.execution.task import TaskFacts

NOW = "2026-01-31T09:00:00.000000Z"
SOON, PAST = "2026-01-31T09:15:00.000000Z", "2026-01-31T08:59:59.999999Z"
LIMITS = Limits()


def line(*tasks):
    """Put tasks in a row: each waits for the one before."""
    return [
        TaskFacts(**{"id": f"T-{at}", "place": at, "rank": at} | more)
        for at, more in enumerate(tasks, start=1)
    ]


def back(result, end="handoff", closes=1, **more):
    return {"last_result": result, "last_end": end, "closes": closes, "attempts": closes, **more}


def words(tasks, leases=None):
    found = statuses(tasks, leases or {}, LIMITS, NOW)
    return {task: str(status) for task, status in found.items()}


DONE = back("success")


@pytest.mark.parametrize(
    ("facts", "word"),
    [
        ({}, "ready"),
        (DONE, "done"),
        (back("partial"), "failed (1 of 3)"),
        (back("failed", closes=2), "failed (2 of 3)"),
        (back("failed", closes=3), "blocked: attempts used up (3)"),
        (back("gated"), "blocked: gated"),
        (back("skipped"), "skipped"),
        (back("partial", "signal", crashes=1), "failed (1 of 3)"),
        (
            back("partial", "timeout", closes=2, crashes=2),
            "blocked: ended without a word 2 times, last by timeout",
        ),
        (
            back("partial", "contract_missing", closes=2, contracts_missing=2),
            "blocked: no valid handoff 2 times",
        ),
        (back("failed", is_same_fingerprint=True), "blocked: failed the same way as before"),
        (back("failed", has_question_only=True), "blocked: failed with only an open question"),
        (back("partial", "spawn_failed", closes=0), "failed (0 of 3)"),
        (back("success", is_stale=True), "stale"),
        ({"resolution": "done"}, "done"),
        (back("gated", resolution="done"), "done"),
        (back("success", resolution="skip"), "skipped"),
        ({"is_optional": True}, "ready"),
    ],
)
def test_a_task_that_waits_for_nothing_reads_by_its_last_close(facts, word):
    assert words(line(facts)) == {"T-1": word}


def test_an_open_attempt_reads_by_its_lease():
    tasks = line({"open_attempt": 1, "attempts": 1})
    assert words(tasks, {"T-1": SOON}) == {"T-1": "in_flight"}
    assert words(tasks, {"T-1": PAST}) == {"T-1": "in_flight (lease ran out)"}
    assert words(tasks) == {"T-1": "in_flight (lease ran out)"}  # imported: no lease came along


def test_a_task_is_pending_until_what_it_waits_for_is_done():
    assert list(words(line(DONE, {}, {})).values()) == ["done", "ready", "pending"]
    assert list(words(line({"resolution": "done"}, {})).values()) == ["done", "ready"]
    assert list(words(line(back("success", is_stale=True), {})).values()) == ["stale", "ready"]
    assert list(words(line(back("failed"), {})).values()) == ["failed (1 of 3)", "pending"]


def test_explicit_dependencies_replace_the_order():
    tasks = line({}, {}, {"depends": ("T-1",), "is_explicit": True})
    assert words([tasks[0], *line({}, {}, DONE | {"depends": ("T-2",)})[1:]])["T-3"] == (
        "blocked: dependencies unmet"
    )
    assert words([*line(DONE)[:1], *tasks[1:]])["T-3"] == "ready"


def test_a_success_with_unmet_dependencies_does_not_count_as_done():
    tasks = line({}, DONE, DONE, {})
    assert list(words(tasks).values()) == [
        "ready",
        "blocked: dependencies unmet",
        "blocked: dependencies unmet",
        "pending",
    ]
    assert list(words([*line(DONE), *tasks[1:]]).values()) == ["done", "done", "done", "ready"]


def test_what_was_ticked_in_the_plan_is_done_whatever_it_waits_for():
    assert words(line({}, back("success", "import")))["T-2"] == "done"


def test_a_persons_word_holds_dependencies_or_not():
    assert words(line({}, {"resolution": "done"}))["T-2"] == "done"


def test_dependents_of_a_skipped_task_wait_for_a_person():
    tasks = line(back("skipped"), {}, {})
    assert list(words(tasks).values()) == ["skipped", "blocked: T-1 was skipped", "pending"]
    assert words(line({"resolution": "skip"}, {}))["T-2"] == "blocked: T-1 was skipped"


@pytest.mark.parametrize(
    "skip", [back("skipped", last_seq=5), {"resolution": "skip", "last_seq": 5}]
)
def test_a_persons_retry_lets_a_task_go_on_without_what_was_skipped(skip):
    assert list(words(line(skip, {"retried_seq": 6}, {})).values()) == [
        "skipped",
        "ready",
        "pending",
    ]
    tasks = line(skip, back("success", retried_seq=6), {})
    assert list(words(tasks).values()) == ["skipped", "done", "ready"]
    tasks = line(skip, back("failed", retried_seq=6, last_seq=9), {})
    assert list(words(tasks).values()) == ["skipped", "failed (1 of 3)", "pending"]
    assert words(line(skip, {"retried_seq": 4}))["T-2"] == "blocked: T-1 was skipped"
    assert words(line(skip, back("success", retried_seq=4)))["T-2"] == "blocked: dependencies unmet"


def test_what_else_is_open_still_holds_a_task_that_a_person_let_go_on():
    tasks = line(back("skipped", last_seq=5), {"rank": 1}, {"rank": 2, "retried_seq": 6})
    assert words(tasks)["T-3"] == "pending"


def test_a_container_reads_how_many_of_its_required_tasks_are_done():
    box = {"id": "2", "is_container": True}
    tasks = line(
        box,
        DONE | {"id": "2.1", "parent": "2"},
        {"id": "2.2", "parent": "2"},
        {"id": "2.3", "parent": "2", "is_optional": True},
    )
    assert words(tasks)["2"] == "pending (1 of 2)"
    tasks[2] = TaskFacts(**vars(tasks[2]) | DONE)
    assert words(tasks)["2"] == "done (2 of 2)"


def test_nobody_waits_for_an_optional_task_and_none_is_sent_to_it():
    tasks = line(DONE, {"is_optional": True}, {})
    found = statuses(tasks, {}, LIMITS, NOW)
    assert found["T-2"].word == found["T-3"].word == "ready"
    assert dispatch_order(tasks, found) == ["T-3"]


def test_the_lowest_place_among_failed_and_ready_goes_first():
    side = {"section_place": 0}
    tasks = line({} | side, back("failed") | side, back("gated") | side, DONE, {})
    assert dispatch_order(tasks, statuses(tasks, {}, LIMITS, NOW)) == ["T-1", "T-2", "T-5"]


def test_a_failed_task_whose_dependency_is_open_again_is_not_dispatched():
    tasks = line({}, back("failed"))
    found = statuses(tasks, {}, LIMITS, NOW)
    assert str(found["T-2"]) == "failed (1 of 3)"
    assert dispatch_order(tasks, found) == ["T-1"]


def test_a_long_plan_whose_first_task_is_open_again_is_read_in_linear_time():
    tasks = line({}, *[DONE] * 9_999)
    found = statuses(tasks, {}, LIMITS, NOW)
    assert {status.word for status in found.values()} == {"ready", "blocked"}


FACTS = st.fixed_dictionaries(
    {
        "rank": st.integers(1, 4),
        "section_place": st.integers(0, 3),
        "depends": st.lists(st.sampled_from([f"T-{n}" for n in range(1, 9)]), max_size=2).map(
            tuple
        ),
        "last_result": st.sampled_from([None, "success", "failed", "partial", "skipped", "gated"]),
        "last_end": st.sampled_from(["handoff", "import", "signal"]),
        "closes": st.integers(0, 3),
        "open_attempt": st.sampled_from([None, None, 1]),
        "resolution": st.sampled_from([None, None, "done", "skip"]),
        "is_stale": st.booleans(),
        "is_optional": st.booleans(),
        "is_container": st.booleans(),
        "parent": st.sampled_from([None, None, "T-1", "T-5"]),
    }
)
PLANS = st.lists(FACTS, max_size=8).map(lambda facts: line(*facts))


@given(PLANS)
def test_every_task_of_any_plan_has_one_word_and_always_the_same(tasks):
    found = statuses(tasks, {"T-1": SOON}, LIMITS, NOW)
    assert set(found) == {task.id for task in tasks}
    assert {status.word for status in found.values()} <= set(get_args(Word))
    assert found == statuses(tasks, {"T-1": SOON}, LIMITS, NOW)


@given(PLANS)
def test_what_is_dispatched_waits_for_nothing_that_is_not_done(tasks):
    found = statuses(tasks, {}, LIMITS, NOW)
    by_id = {task.id: task for task in tasks}
    for name in dispatch_order(tasks, found):
        for need in by_id[name].depends:
            needed = by_id.get(need)
            if needed and not needed.is_optional and not needed.is_container:
                assert found[need].word in ("done", "stale")
