from __future__ import annotations

import pytest

from agentjournal.engmem.review.judge import judge
from agentjournal.engmem.review.shelf import read_shelf
from support.documents import document, make_store
from support.reviewed import CACHE, HEAD, keep_version, reuse, row, story


def judged(store):
    return {each.story: each for each in judge(read_shelf(store))}


def one(tmp_path, cited: str, citing: str, *, id_: str = "story-a"):
    store = make_store(tmp_path / "one", {"far-cache.md": cited, f"{id_}.md": citing})
    [found] = judge(read_shelf(store))
    return found


EXCLUDED = {
    "s01-near": None,
    "s02-far": None,
    "s03-lost": "quote not found in cited document",
    "s04-ghost": "cited document not in store",
    "s05-bare": "no quote in the `taken` cell",
    "s06-harm": "classification harmful",
    "s07-version": "cited version cannot be checked -- not retained: "
    "no copy at versions/far-cache/0123456789abcdef.md",
    "s08-blank": "classification cell missing",
    "s09-daily": "outside the experiment (mode: daily)",
    "s10-own": "dogfooding (story about this repository)",
    "s11-draft": "citing document is draft",
    "s12-filled": "backfilled (the ritual was never run on it)",
    "s13-stale": None,
    "s14-both": None,
}


@pytest.mark.parametrize(("id_", "why"), EXCLUDED.items())
def test_a_row_counts_or_says_why_not(store, id_, why):
    assert judged(store)[id_].excluded == why


def test_a_row_is_adjacent_where_its_documents_share_a_tag_a_link_or_a_repository(store):
    found = judged(store)
    assert (found["s01-near"].distance, found["s02-far"].distance) == ("adjacent", "distant")
    assert found["s03-lost"].distance is None


@pytest.mark.parametrize(
    ("cited", "citing", "distance"),
    [
        ({"repos": "[core]"}, {"repos": "[CORE ]"}, "adjacent"),
        ({"related": "[story-a]"}, {}, "adjacent"),
        ({}, {"related": "[far-cache]"}, "adjacent"),
        ({"repos": "{a: b}"}, {}, "undecidable"),
        ({"repos": "{a: b}", "tags": "[x]"}, {"tags": "[x]"}, "adjacent"),
        ({"repos": "[]"}, {}, "distant"),
    ],
)
def test_distance_follows_links_tags_and_repositories(tmp_path, cited, citing, distance):
    text = document("far-cache", CACHE, **cited)
    assert one(tmp_path, text, story("story-a", row("far-cache"), **citing)).distance == distance


@pytest.mark.parametrize(
    ("fields", "prereg", "why"),
    [
        ({}, False, None),  # written before there were modes
        ({"mode": "research"}, True, None),
        ({"mode": "research"}, False, "outside the experiment (research without a Pre-reg)"),
        ({"mode": "weekly"}, True, "outside the experiment (mode: weekly)"),
        (
            {"mode": "research", "baseline_unavailable": "no agent"},
            True,
            "outside the experiment (baseline unavailable: no agent)",
        ),
    ],
)
def test_only_work_that_was_observed_counts(tmp_path, fields, prereg, why):
    citing = story("story-a", row("far-cache"), prereg="## Pre-reg\nA plan." * prereg, **fields)
    assert one(tmp_path, document("far-cache", CACHE), citing).excluded == why


def test_a_quote_is_looked_for_in_the_version_that_was_cited(tmp_path):
    old = document("far-cache", CACHE)
    store = make_store(tmp_path / "store", {"far-cache.md": document("far-cache", "now other")})
    version = keep_version(store, "far-cache", old)
    (store / "sessions" / "story-a.md").write_text(story("story-a", row(f"far-cache@{version}")))
    assert judged(store)["story-a"].integrity == "verified"


def test_a_kept_version_that_was_altered_proves_nothing(tmp_path):
    store = make_store(tmp_path / "store", {"far-cache.md": document("far-cache", CACHE)})
    version = keep_version(store, "far-cache", document("far-cache", CACHE))
    (store / "versions" / "far-cache" / f"{version}.md").write_text("rejected the separate table")
    (store / "sessions" / "story-a.md").write_text(story("story-a", row(f"far-cache@{version}")))
    found = judged(store)["story-a"]
    assert found.integrity == "version_unavailable"
    assert "altered" in found.detail


def test_a_version_is_never_looked_for_outside_of_the_store(tmp_path):
    (tmp_path / "outside").mkdir()
    found = one(
        tmp_path,
        document("far-cache", CACHE, id="../../outside"),
        story("story-a", row("../../outside@0123456789abcdef")),
    )
    assert found.integrity == "version_unavailable"


def test_every_quote_of_a_row_has_to_hold_and_white_space_is_one_space(tmp_path):
    taken = '"the  separate table because" and \u201cnever said\u201d'
    found = one(tmp_path, document("far-cache", CACHE), story("story-a", row("far-cache", taken)))
    assert (found.integrity, found.quote) == ("quote_not_found", "never said")


def test_front_matter_is_no_text_to_quote(tmp_path):
    cited = document("far-cache", CACHE, title="Freshness of words")
    found = one(tmp_path, cited, story("story-a", row("far-cache", '"Freshness of words"')))
    assert found.integrity == "quote_not_found"


def test_a_row_says_its_line_in_the_file(tmp_path):
    text = document("story-a", reuse(row("far-cache"), row("far-cache")))
    store = make_store(
        tmp_path / "store", {"far-cache.md": document("far-cache", CACHE), "story-a.md": text}
    )
    lines = text.split("\n")
    found = [each.line for each in judge(read_shelf(store))]
    assert [lines[at - 1] for at in found] == [row("far-cache")] * 2
    assert found[0] < found[1]
    assert HEAD.split("\n")[0] == lines[found[0] - 3]


def test_a_document_that_cites_itself_proves_nothing(tmp_path):
    own = story("story-a", row("story-a", '"Lessons"')) + "\nLessons\n"
    found = one(tmp_path, document("far-cache", CACHE), own)
    assert (found.integrity, found.excluded) == ("verified", "cites itself")
