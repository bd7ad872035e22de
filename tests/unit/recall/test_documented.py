from __future__ import annotations

import pytest

from agentjournal.engmem.document import read_document
from agentjournal.recall.documented import DocumentedClaims, claims_of, documented_claims
from agentjournal.recall.prose import first_sentence, items, plain
from agentjournal.recall.tried import tried
from support.documents import document
from support.engmem_store import Shop, many


def told(*sections, **fields):
    read = read_document("a.md", document("2201-router", *sections, **fields).encode())
    return [(claim.verdict, claim.what, claim.why) for claim in claims_of(read)]


def test_labelled_decisions_give_what_was_taken_and_what_was_not():
    text = """## Decision Log
- **Decision:** Split the budget evenly across depots
  - **Reason:** greedy splits starve the last depot
  - **Rejected alternative:** greedy split by distance. It starves depots.
  - **Rejected alternative:** a fixed share
  - **Source:** PR 12
- **Decision:** Keep keys in the table
- **Reason:** not stated in the available material.
"""
    assert told(text) == [
        ("decided", "Split the budget evenly across depots", "greedy splits starve the last depot"),
        ("rejected", "greedy split by distance", "It starves depots."),
        (
            "rejected",
            "a fixed share",
            (
                "greedy splits starve the last depot "
                "(decided instead: Split the budget evenly across depots)"
            ),
        ),
        ("decided", "Keep keys in the table", ""),
    ]


def test_free_sentences_give_their_rejections_too():
    text = """## 8. Decision Log
Retries use jittered backoff; rejected fixed delays because exports pile up.

1. We ruled out a cron job since nobody watches it. See [the page](http://x/y).

| a | table |
```
Decision: code is none
```
"""
    assert told(text) == [
        (
            "decided",
            "Retries use jittered backoff",
            "rejected fixed delays because exports pile up.",
        ),
        ("rejected", "fixed delays", "exports pile up."),
        ("rejected", "a cron job", "nobody watches it. See the page."),
    ]


def test_lessons_say_what_was_tried_why_it_failed_and_what_helped():
    text = """## Lessons Learned
- Tried: retrying inside the controller. Failed because the SLA passed. Fixed by moving retries \
to the queue. Files: a.py
- Never retry inside the worker.
"""
    assert told(text) == [
        (
            "lesson",
            "retrying inside the controller.",
            "the SLA passed. Fixed by: moving retries to the queue.",
        ),
        ("lesson", "Never retry inside the worker", ""),
    ]


def test_other_sections_give_no_claims():
    assert told("## Executive Summary\nDecision: none of ours") == []


@pytest.mark.parametrize("status", ["draft", "superseded"])
def test_a_draft_or_superseded_document_gives_no_claims(status):
    assert told("## Decision Log\nJitter.", status=status) == []


def test_a_claim_names_its_document_and_section():
    read = read_document("a.md", document("2201-router", "## Decision Log\nJitter helps.").encode())
    (claim,) = claims_of(read)
    assert (claim.scope, claim.evidence) == ("2201-router", "§1-decision-log (2026-09-01)")
    assert (claim.source, claim.standing) == ("engmem", "in force")
    answer = tried([documented_claims([read])], "does jitter help?")
    assert "   from: 2201-router, §1-decision-log (2026-09-01)\n" in answer.text


def test_a_section_of_thousands_of_items_gives_a_bounded_number():
    assert len(told("## Decision Log\n" + "- Use it.\n" * 5_000)) == 40


def test_prose_is_read_without_its_markup():
    assert plain("**a** [b](c) ![d](e) <br/> ``f`` :meth:`~.g` :ref:`h <i>`") == "a b d `f` `g` `h`"


def test_items_keep_their_depth_and_lose_code_and_tables():
    text = (
        "Intro:\n\n- one\n  more\n  - two\n\n    of two\n\n    code\n\n| t |\n\n```\nx\n```\nlast"
    )
    assert [(each.depth, each.text, each.is_listed) for each in items(text)] == [
        (0, "Intro:", False),
        (0, "one more", True),
        (1, "two", True),
        (1, "of two", True),
        (1, "code", True),
        (0, "last", False),
    ]


def test_a_first_sentence_is_no_abbreviation():
    assert first_sentence("Use a queue, e.g. Redis. It is there.") == (
        "Use a queue, e.g. Redis",
        "It is there.",
    )


def test_a_large_store_is_asked_by_its_index_and_read_only_where_it_may_answer(
    tmp_path, monkeypatch
):
    shop = Shop(tmp_path)
    many(shop, 150)
    body = (
        "- Decision: Split the budget\n- Rejected alternative: a cron job. It fails without a word."
    )
    shop.write("zz-router", body=body)
    shop.write("zz-draft", body="- Decision: A cron job.", status="draft")
    index = shop.index()
    read = []
    real = index.passages
    monkeypatch.setattr(index, "passages", lambda id_: read.append(id_) or real(id_))
    answer = tried([DocumentedClaims(index)], "should a cron job do it?")
    assert [each.claim.scope for each in answer.claims] == ["zz-router"]
    assert read == ["zz-router"]
    assert answer.searched == {"documents": 151}


def test_a_small_store_is_asked_claim_by_claim(tmp_path):
    shop = Shop(tmp_path)
    shop.write("1-router", body="- Rejected alternative: a cron job. It fails without a word.")
    answer = tried([DocumentedClaims(shop.index())], "a cron job")
    assert [each.claim.scope for each in answer.claims] == ["1-router"]
    assert answer.searched == {"documents": 1}
