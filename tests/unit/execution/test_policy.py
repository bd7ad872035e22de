"""The not-clean-return policy: every row of its table, in its order, and total."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentjournal.execution.policy import Limits, VerdictKind, verdict
from agentjournal.execution.step import End, Result
from agentjournal.execution.task import TaskFacts

LIMITS = Limits()


def came_back(result, end="handoff", closes=1, **more):
    return TaskFacts(id="T-1", last_result=result, last_end=end, closes=closes, **more)


ROWS = [
    ("success", came_back("success"), "next"),
    ("partial", came_back("partial"), "retry"),
    ("partial, second time", came_back("partial", closes=2), "retry"),
    ("partial, third time", came_back("partial", closes=3), "escalate"),
    ("failed, newly ruled out", came_back("failed", has_new_ruled_out=True), "retry_modified"),
    ("the same, used up", came_back("failed", closes=3, has_new_ruled_out=True), "escalate"),
    ("failed, same fingerprint", came_back("failed", is_same_fingerprint=True), "escalate"),
    ("failed, another fingerprint", came_back("failed"), "retry"),
    ("crash", came_back("partial", "signal", crashes=1), "retry_same"),
    ("timeout", came_back("partial", "timeout", crashes=1), "retry_same"),
    ("no stop event", came_back("partial", "no_stop_event", crashes=1), "retry_same"),
    ("second crash", came_back("partial", "signal", closes=2, crashes=2), "escalate"),
    ("gated", came_back("gated"), "escalate"),
    ("skipped", came_back("skipped"), "next"),
    ("only an open question", came_back("failed", has_question_only=True), "escalate"),
    (
        "acceptance failed",
        came_back("failed", "acceptance_failed", has_question_only=True),
        "retry_modified",
    ),
    ("acceptance, used up", came_back("failed", "acceptance_failed", closes=3), "escalate"),
    ("contract missing", came_back("partial", "contract_missing", contracts_missing=1), "retry"),
    (
        "contract missing again",
        came_back("partial", "contract_missing", closes=2, contracts_missing=2),
        "escalate",
    ),
    ("spawn failed", came_back("partial", "spawn_failed", closes=0), "stop"),
    ("exit without a handoff", came_back("partial", "exit_nonzero"), "retry"),
    ("nothing yet", TaskFacts(id="T-1"), "next"),
]

# Each pair holds two rows at once: the first decides.
BEFORE = [
    ("spawn failed, gated", came_back("gated", "spawn_failed"), "stop"),
    ("gated, used up", came_back("gated", closes=9), "escalate", "gated"),
    ("skipped, used up", came_back("skipped", closes=9), "next"),
    ("success, used up", came_back("success", closes=9), "next"),
    ("used up, crash", came_back("partial", "signal", closes=3, crashes=2), "escalate", "used up"),
    (
        "crash, a failure seen before",
        came_back("failed", "timeout", crashes=1, is_same_fingerprint=True),
        "retry_same",
    ),
    (
        "contract missing, same fingerprint",
        came_back("failed", "contract_missing", contracts_missing=1, is_same_fingerprint=True),
        "retry",
    ),
    (
        "acceptance failed, same fingerprint",
        came_back("failed", "acceptance_failed", is_same_fingerprint=True),
        "retry_modified",
    ),
    (
        "a question and something new",
        came_back("failed", has_question_only=True, has_new_ruled_out=True),
        "escalate",
    ),
    (
        "something new, same fingerprint",
        came_back("failed", has_new_ruled_out=True, is_same_fingerprint=True),
        "retry_modified",
    ),
]


@pytest.mark.parametrize(("facts", "kind"), [row[1:] for row in ROWS], ids=[r[0] for r in ROWS])
def test_what_comes_back_is_answered_as_the_table_says(facts, kind):
    assert verdict(facts, LIMITS).kind == kind


@pytest.mark.parametrize("row", BEFORE, ids=[row[0] for row in BEFORE])
def test_the_first_row_that_holds_decides(row):
    _, facts, kind, *words = row
    answer = verdict(facts, LIMITS)
    assert answer.kind == kind
    assert all(word in answer.why for word in words)


def test_the_numbers_come_from_the_settings():
    facts = came_back("partial", "contract_missing", closes=2, contracts_missing=2)
    assert verdict(facts, Limits(max_attempts=5, max_contracts_missing=3)).kind == "retry"
    assert verdict(facts, Limits(max_attempts=2)).why == "attempts used up (2)"


FACTS = st.builds(
    came_back,
    st.sampled_from([None, *get_args(Result)]),
    st.sampled_from([None, *get_args(End)]),
    st.integers(0, 5),
    crashes=st.integers(0, 3),
    contracts_missing=st.integers(0, 3),
    is_same_fingerprint=st.booleans(),
    has_new_ruled_out=st.booleans(),
    has_question_only=st.booleans(),
)


@given(FACTS)
def test_whatever_came_back_there_is_one_answer_and_always_the_same(facts):
    answer = verdict(facts, LIMITS)
    assert answer.kind in get_args(VerdictKind)
    assert answer.why
    assert "{" not in answer.why
    assert answer == verdict(facts, LIMITS)


@given(FACTS)
def test_no_task_is_retried_once_its_attempts_are_used_up(facts):
    answer = verdict(facts, LIMITS)
    assert not (answer.is_retry and facts.closes >= LIMITS.max_attempts)
