from __future__ import annotations

import pytest

from agentjournal.execution.observed import Observed
from agentjournal.log.revoke import redact, retract
from agentjournal.recall.logged import LoggedClaims
from agentjournal.recall.tried import tried
from support import tried_cases
from support.claims_log import AT, claims_log, decide, reopen, rule_out, step_id, write


@pytest.fixture
def log(database):
    return claims_log(database)


def ask(log, question, **more):
    return tried([LoggedClaims(log.database)], question, **more)


def found(log, question):
    return [each.claim.id for each in ask(log, question).claims]


def test_a_ruled_out_option_is_found_in_other_words(log):
    write(log, rule_out(1, "Poll the outbox every second", "Burned CPU on an idle database."))
    (answer,) = ask(log, "should we be polling the outbox?").claims
    assert answer.claim.what == "Poll the outbox every second"
    assert answer.claim.verdict == "rejected"
    assert (answer.claim.actor, answer.claim.revision) == ("worker-1", 1)
    assert answer.claim.evidence == "step 000000000001"
    assert answer.claim.scope == "shop"
    assert answer.match.words == ("polling~poll", "outbox")


def test_a_decision_is_found_by_what_was_not_taken(log):
    write(log, decide(1, "Full-text search", ["tsvector", "Elasticsearch"], "One store is enough."))
    (answer,) = ask(log, "Elasticsearch for full-text search").claims
    assert answer.claim.verdict == "decided"
    assert answer.claim.what == "Full-text search: tsvector"
    assert answer.claim.why == "One store is enough. (not taken: Elasticsearch)"


def test_what_was_superseded_or_reopened_is_never_given(log):
    write(log, rule_out(1, "Redis lists as job queue", "A popped job is gone."))
    write(log, rule_out(2, "Redis streams as job queue", "Lost.", supersedes=f"{step_id(1)}#1"))
    assert found(log, "redis job queue") == [f"{step_id(2)}#1"]
    write(log, reopen(3, f"{step_id(2)}#1"))
    assert found(log, "redis job queue") == []


def test_what_was_retracted_or_redacted_is_never_given(log):
    write(log, rule_out(1, "Redis lists as job queue", "A popped job is gone."))
    write(log, rule_out(2, "Celery as job queue", "Needs a broker."))
    retract(log, step_id(1), event_id="r-1", actor="ada", at=AT, why="It was a test.")
    redact(log, step_id(2), event_id="r-2", actor="ada", at=AT, why="It named a customer.")
    assert found(log, "redis or celery as job queue") == []


def test_claims_of_every_project_answer(log):
    write(log, rule_out(1, "Redis lists as job queue", "A popped job is gone."))
    claims_log(log.database, "bank")
    write(log, rule_out(2, "Redis streams as job queue", "Grew for ever.", slug="bank"))
    assert set(found(log, "redis job queue")) == {f"{step_id(1)}#1", f"{step_id(2)}#1"}


def test_a_condition_is_judged_by_what_was_observed(log):
    condition = {"reopen_if": "library redis >= 8"}
    write(log, rule_out(1, "Redis lists as job queue", "A popped job is gone.", **condition))

    def note(observed):
        source = LoggedClaims(log.database, observed)
        return tried([source], "redis job queue").claims[0].claim.reopen_if

    assert note(Observed()) == "reopen if: library redis >= 8 (not evaluated here)"
    assert note(Observed(lock_versions={"redis": "7.4"})) == "reopen if: library redis >= 8"
    assert note(Observed(lock_versions={"redis": "8.0"})) == "may be reopened: library redis >= 8"


def test_a_word_in_every_claim_costs_no_more_and_hides_no_rare_one(log):
    many = [
        rule_out(number, f"Cache layer {number} in the worker", "Stale entries were served.")
        for number in range(2, 2_050)
    ]
    write(log, rule_out(1, "Cache keys from a quasar seed in the worker", "Seeds collide."))
    write(log, *many)
    answer = ask(log, "may the worker cache take its keys from a quasar?")
    assert answer.claims[0].claim.id == f"{step_id(1)}#1"


def test_the_evaluation_holds_on_both_engines(log):
    ids = {}
    for number, (name, (what, why)) in enumerate(tried_cases.RULED_OUT.items(), start=1):
        write(log, rule_out(number, what, why))
        ids[name] = f"{step_id(number)}#1"
    for number, (name, (what, why)) in enumerate(tried_cases.DECIDED.items(), start=101):
        point, chosen = what.split(": ")
        write(log, decide(number, point, [chosen, "nothing"], why))
        ids[name] = f"{step_id(number)}/1"
    asked = {text: name for text, name in tried_cases.PARAPHRASED.items() if name in ids}
    answers = {text: ask(log, text) for text in asked}
    hits = [
        text
        for text, name in asked.items()
        if ids[name] in [each.claim.id for each in (answers[text].claims or answers[text].weak)][:3]
    ]
    assert set(asked) - set(hits) == set()
    assert [text for text in tried_cases.UNRELATED if ask(log, text).claims] == []
