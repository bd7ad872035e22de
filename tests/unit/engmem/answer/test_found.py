"""What is shown first, and whether it may be believed: the questions that agents ask."""

from __future__ import annotations

import pytest

from agentjournal.engmem.answer.scope import repositories
from support.documents import document

FILES = {
    "a.md": document(
        "2201-parcel-router",
        "## Decision Log\nThe router splits the budget evenly; rejected greedy splits since depots "
        "starve.",
        "## Lessons Learned\nTried: retrying inside ParcelRouteController. Failed because the SLA "
        "passed.",
        title="Parcel routing",
        entities="[ParcelRouteController, SLA]",
        covers_files="[src/parcel/RouteBudget.java]",
    ),
    "b.md": document(
        "3304-ledger-writes",
        "## Decision Log\nWrites are batched by account.",
        entities="[Ledger]",
    ),
    "c.md": document(
        "3305-menu-cache", "## Decision Log\nThe naïve cache for the café was dropped."
    ),
    "d.md": document("3306-orders", "## Decision Log\n我们决定先预热热门缓存再接收流量。"),
}


def ids(answer):
    return [hit["id"] for hit in answer.data["hits"]]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("ParcelRouteController SLA", "2201-parcel-router"),
        ("route controller retries", "2201-parcel-router"),
        ("RouteBudget.java", "2201-parcel-router"),
        ("batching of account writers", "3304-ledger-writes"),
        ("naive cafe", "3305-menu-cache"),
        ("2201", "2201-parcel-router"),
        ("what did we decide about retries in the parcel controller", "2201-parcel-router"),
    ],
)
def test_a_document_is_found_reliably_by_what_it_says(asked, question, first):
    answer = asked(FILES, question)
    assert ids(answer)[:1] == [first]
    assert answer.data["is_reliable"]


def test_a_document_in_an_unspaced_script_is_found(asked):
    assert ids(asked(FILES, "缓存"))[:1] == ["3306-orders"]


def test_an_identifier_that_exists_nowhere_is_no_reliable_match(asked):
    assert not asked(FILES, "ParcelSortController").data["is_reliable"]


def test_an_unrelated_question_finds_nothing(asked):
    assert ids(asked(FILES, "quarterly vacation policy")) == []


def test_a_number_of_an_id_beats_a_mention(asked):
    other = document("9999-other", "## Lessons\nReverted 2201. 2201 again, 2201 and 2201.")
    assert ids(asked({**FILES, "e.md": other}, "2201"))[0] == "2201-parcel-router"


def test_a_draft_is_counted_and_named_and_never_a_hit(asked):
    files = {
        "a.md": document("a-a", "## Decision Log\nJitter.", status="draft"),
        "b.md": document("b-b", "## Notes\nJitter.", status="draft"),
        "c.md": document("c-c", "## Decision Log\nJitter.", status="draft", repos="[other]"),
    }
    answer = asked(files, "jitter", scope=repositories(["shop"]))
    assert ids(answer) == []
    assert answer.data["drafts"] == ["a-a"]
    assert asked(files, "jitter", session="a-a").data["drafts"] == ["c-c"]
    assert asked(files, "jitter", names_drafts=False).data["drafts"] == []


def test_a_better_superseded_document_is_told_beside_full_hits_a_worse_one_is_not(asked):
    hits = {f"{n}.md": document(f"{n}-hit", "## Notes\nThe jitter.") for n in range(3)}
    better = document("8-old", "## Notes\nx", entities="[Jitter]", status="superseded")
    worse = document("9-old", f"## Notes\n{'filler ' * 400} jitter", status="superseded")
    answer = asked({**hits, "o.md": better, "p.md": worse}, "jitter")
    assert [each["id"] for each in answer.data["superseded"]] == ["8-old"]


def test_an_end_of_a_chain_that_is_shown_as_a_hit_has_no_second_block(asked):
    files = {
        "a.md": document("1-old", "## Notes\njitter", status="superseded", superseded_by="2-new"),
        "b.md": document("2-new", "## Notes\njitter"),
    }
    text = asked(files, "jitter").text
    assert "\n1-old: superseded by 2-new\n" in text
    assert "(successor)" not in text
