"""What is chosen of the many that answer: statuses and sections narrow before places are given."""

from __future__ import annotations

from agentjournal.engmem.answer.scope import repositories
from support.documents import document

ZEBRA = "## Decision Log\nZebra paint, zebra."
MANY = {
    f"{n}.md": document(f"21{n:02d}-old", ZEBRA, title="Zebra paint", entities="[ZebraPaint]")
    for n in range(40)
}
NEW = {
    "new.md": document("3000-new", "## Lessons Learned\nThe zebra lines wear off.", title="Road")
}


def test_many_superseded_documents_do_not_hide_the_one_in_force(asked):
    old = {
        name: text.replace("status: active", "status: superseded\nsuperseded_by: 3000-new")
        for name, text in MANY.items()
    }
    answer = asked({**old, **NEW}, "zebra paint")
    assert [hit["id"] for hit in answer.data["hits"]] == ["3000-new"]
    assert "\n2100-old: superseded by 3000-new\n" in answer.text
    assert "(successor)" not in answer.text


def test_a_section_is_found_behind_many_documents_without_it(asked):
    answer = asked({**MANY, **NEW}, "zebra paint", role="lessons")
    assert [hit["id"] for hit in answer.data["hits"]] == ["3000-new"]


def test_where_no_document_has_the_section_those_that_answer_are_counted(asked):
    two = dict(list(MANY.items())[:2])
    told = "none found — 2 document(s) matched the query, but none has a 'testing' section"
    assert told in asked(two, "zebra", role="testing").text


def test_a_count_that_is_not_known_to_the_end_says_so(asked):
    few = dict(list(MANY.items())[:5])
    assert "(2 more document(s) matched below" in asked(few, "zebra").text
    cut = asked(MANY, "zebra")
    assert "(21+ more document(s) matched below the top 3" in cut.text
    assert cut.data["more_is_least"] is True


def test_a_superseded_document_is_told_where_it_beats_the_weakest_that_is_shown(asked):
    files = {
        "a.md": document("1-a", "## Decision Log\nquasar nebula", title="quasar nebula"),
        "b.md": document("1-b", "## Decision Log\nquasar", title="nothing"),
        "c.md": document("1-c", "## Decision Log\nquasar nebula").replace(
            "status: active", "status: superseded"
        ),
    }
    assert "1-c: superseded (no successor recorded)" in asked(files, "quasar nebula", limit=2).text


def test_a_weak_hit_says_that_only_a_part_of_the_class_name_was_found(asked):
    files = {"a.md": document("1-valves", "## Decision Log\nThe valve turns hourly.")}
    assert (
        "matched 1 of 1 query words (gammavalve in part) and no" in asked(files, "GammaValve").text
    )


def test_a_weak_hit_by_names_at_hand_alone_says_so(asked):
    files = {"a.md": document("1-valves", "## Decision Log\nThe valve turns hourly.")}
    told = asked(files, "kubernetes", names=("Valve.java",)).text
    assert "\nweak candidate: matched 0 of 1 query words, only names added to the query — " in told


def test_a_superseded_document_that_is_asked_for_names_its_successor(asked):
    files = {
        "a.md": document("1-a", ZEBRA).replace(
            "status: active", "status: superseded\nsuperseded_by: 2-b"
        )
    }
    answer = asked(files, "zebra", status="superseded")
    assert "### 1-a (score: " in answer.text
    assert ")  [superseded by 2-b]\n" in answer.text
    assert answer.data["hits"][0]["superseded_by"] == "2-b"


def test_drafts_of_other_repositories_take_no_place_of_one_in_the_scope(asked):
    files = {
        f"{n}.md": document(f"21{n:02d}-old", ZEBRA, status="draft", repos="[other]")
        for n in range(40)
    }
    mine = document("3000-new", "## Decision Log\nThe zebra wears off.", status="draft")
    told = asked({**files, "mine.md": mine}, "zebra", scope=repositories(["shop"])).text
    assert "citable): 3000-new -- read" in told
