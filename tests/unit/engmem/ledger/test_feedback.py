from __future__ import annotations

import json

import pytest

from agentjournal.engmem.ledger.assessment import Assessment, read_verdict
from agentjournal.engmem.ledger.feedback import record_feedback
from agentjournal.engmem.ledger.feedback_summary import read_feedback
from agentjournal.errors import InputError, NotFoundError
from support import golden
from support.everyday import DRAFT, LOOKUP, OLD, ROUTER, everyday_store, index_of
from support.ledgers import STAMP, cost_row, search_row, write_ledger


@pytest.fixture
def store(tmp_path):
    root = everyday_store(tmp_path / "store")
    write_ledger(
        root,
        "telemetry.jsonl",
        search_row(),
        search_row(surfaced=[LOOKUP, DRAFT], weak_only=True),
        search_row(session_id="no-such", surfaced=[LOOKUP]),
        search_row(session_id=None, surfaced=["unseen-doc"]),
        "{bad",
    )
    return root


def said(document: str, verdict: str = "helped", **words: str) -> Assessment:
    return Assessment(session=DRAFT, document=document, verdict=read_verdict(verdict), **words)


def test_a_verdict_is_written_as_other_tools_read_it(store):
    given = said(ROUTER, decision="kept the budget", source="PR 1")
    told = record_feedback(store, index_of(store), given, STAMP)
    assert told == f"recorded helped for {ROUTER} in session {DRAFT}, as the user's assessment"
    [line] = (store / "feedback.jsonl").read_text().splitlines()
    assert list(json.loads(line).items()) == [
        ("ts", "2026-11-30T09:00:00.000000+00:00"),
        ("session_id", DRAFT),
        ("doc_id", ROUTER),
        ("assessment", "helped"),
        ("assessed_by", "user"),
        ("decision", "kept the budget"),
        ("source", "PR 1"),
        ("channel", "cli"),
    ]


@pytest.mark.parametrize("document", ["ghost-doc", DRAFT, "unseen-doc"])
def test_only_what_a_search_of_the_session_showed_is_assessed(store, document):
    with pytest.raises(InputError, match="only finds are assessed") as refused:
        record_feedback(store, index_of(store), said(document), STAMP)
    assert refused.value.next == f"The finds of this session: {LOOKUP}, {OLD}, {ROUTER}."
    assert not (store / "feedback.jsonl").exists()


def test_a_session_is_a_document(store):
    given = Assessment(session="no-such", document=LOOKUP, verdict="helped")
    with pytest.raises(NotFoundError, match="no document with id 'no-such'"):
        record_feedback(store, index_of(store), given, STAMP)


def test_long_words_are_refused_and_not_cut(store):
    with pytest.raises(InputError, match="decision has 1001 characters"):
        record_feedback(store, index_of(store), said(ROUTER, decision="x" * 1001), STAMP)


def test_an_unknown_verdict_is_refused():
    with pytest.raises(InputError, match="unknown assessment 'great'"):
        read_verdict("great")


def test_a_secret_in_the_users_words_is_not_kept(store):
    token = "ghp_" + "a1B2" * 9
    record_feedback(store, index_of(store), said(ROUTER, source=f"see {token}"), STAMP)
    assert token not in (store / "feedback.jsonl").read_text()


def assessed(**fields: object) -> dict[str, object]:
    return {
        "ts": "2026-11-30T23:03:11+00:00",
        "session_id": DRAFT,
        "doc_id": ROUTER,
        "assessment": "helped",
        "assessed_by": "user",
        "decision": None,
        "source": None,
        "channel": "cli",
        **fields,
    }


def fill(store):
    write_ledger(
        store,
        "feedback.jsonl",
        assessed(assessment="harmful"),
        assessed(decision="kept\nthe \x1b[31mbudget", source="PR 1"),
        assessed(doc_id=OLD, assessment="not-applicable", channel="mcp"),
        assessed(doc_id="never-shown"),
        assessed(session_id="no-such", doc_id=LOOKUP),
        assessed(assessment="great"),
        assessed(assessed_by="agent"),
        assessed(session_id=3),
        "[]",
    )
    write_ledger(store, "cost.jsonl", cost_row("read", doc_id=ROUTER))


def test_the_latest_verdict_on_each_find_counts(store):
    fill(store)
    golden.check("engmem_feedback.txt", read_feedback(store, index_of(store)).text())


def test_one_session_names_what_nobody_assessed_and_what_was_read(store):
    fill(store)
    found = read_feedback(store, index_of(store), DRAFT)
    golden.check("engmem_feedback_session.txt", found.text())
    counts = json.loads(json.dumps(found.data()))["counts"]
    assert counts == {"helped": 1, "not-applicable": 1, "harmful": 0, "unknown": 1}


def test_no_feedback_at_all(store):
    found = read_feedback(store, index_of(store), "no-such-session")
    assert found.text().startswith("feedback of session no-such-session: 0 find(s)")
