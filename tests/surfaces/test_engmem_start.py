"""`engmem start`: no search before the naive plan in research mode, and what to read after it."""

from __future__ import annotations

import json

import pytest

from agentjournal.engmem.document import read_document
from agentjournal.engmem.review.story import read_story
from support.documents import document, make_store

PLAN = "Add a cache with a table of its own.\nKeep it fresh by hand.\n\npre-reg source: sub-agent\n"
FILES = {
    "1000001-response-cache.md": document(
        "1000001-response-cache",
        "## Decision Log\nRejected a separate table: the response carries its freshness.",
        "## Cold-start primer\nResponseCache serves cached responses.",
        entities="[ResponseCache]",
    ),
    "1000002-menu.md": document(
        "1000002-menu", "## Menu\nA cache for the menu.", date="2026-01-01"
    ),
}


@pytest.fixture
def store(home):
    return make_store(home / "store", FILES)


@pytest.fixture
def start(shell, store):
    def run(*args, plan=PLAN, **how):
        return shell("start", *args, "--store", str(store), program="engmem", stdin=plan, **how)

    return run


def drafts(store):
    paths = sorted((store / "sessions").glob("2*.md"), key=lambda path: len(path.name))
    return [read_document(path.name, path.read_bytes()) for path in paths]


def test_the_plan_is_registered_word_for_word_before_memory_is_searched(start, store):
    answer = start("ResponseCache", "for the endpoint")
    assert answer.code == 0
    (draft,) = drafts(store)
    assert draft.id.endswith("-responsecache-for-the-endpoint")
    assert (draft.status, draft.mode, draft.title) == (
        "draft",
        "daily",
        "ResponseCache for the endpoint",
    )
    assert draft.faults == ()
    (section,) = draft.sections
    assert (section.role, section.text) == ("prereg", PLAN.strip())
    row = json.loads((store / "telemetry.jsonl").read_text())
    assert row["session_id"] == draft.id
    assert row["surfaced"][0] == "1000001-response-cache"


def test_it_says_what_to_read_and_stays_within_4096_bytes(start, store):
    answer = start("ResponseCache")
    first, reading, read, *_ = answer.out.splitlines()
    (draft,) = drafts(store)
    assert f"sessions/{draft.id}.md (mode: daily, version: {draft.version})" in first
    assert reading == "read by section, at most these, before you plan:"
    assert read == f"  engmem read 1000001-response-cache --role decisions --session {draft.id}"
    assert "\n\n### 1000001-response-cache (score: " in answer.out
    assert answer.out.splitlines()[-1].startswith("docs: 3 | drafts: 1 | last doc: ")
    assert "unattributed" not in answer.out
    assert len(answer.out.encode()) <= 4096


@pytest.mark.parametrize("plan", ["", " \n", "pre-reg source: sub-agent\nbaseline_tokens: 12\n"])
def test_in_research_mode_nothing_is_searched_without_a_plan(start, store, plan):
    answer = start("ResponseCache", "--mode", "research", plan=plan)
    assert answer.code == 2
    assert answer.out == answer.err
    assert answer.out.startswith("error: engmem start: in research mode the naive plan comes first")
    assert drafts(store) == []
    assert sorted(path.name for path in store.iterdir()) == ["sessions"]


def test_the_saved_mode_is_research_mode(start, store, home):
    (home / "config" / "engmem").mkdir(parents=True)
    (home / "config" / "engmem" / "mode").write_text("research\n")
    assert start("ResponseCache", plan="").code == 2
    assert start("ResponseCache").code == 0
    assert drafts(store)[0].mode == "research"


@pytest.mark.parametrize(
    ("plan", "held"),
    [(" \n", "held none"), ("Cache it.\n", "held fewer than 3 words of one")],
)
def test_a_plan_that_is_too_short_is_told_from_none(start, plan, held):
    assert held in start("ResponseCache", "--mode", "research", plan=plan).out


def test_in_daily_mode_a_plan_is_no_condition(start, store):
    answer = start("ResponseCache", plan="")
    assert "no plan was registered" in answer.out
    assert "### 1000001-response-cache (" in answer.out
    assert all(section.role != "prereg" for section in drafts(store)[0].sections)


def test_in_daily_mode_a_plan_that_is_too_short_is_said_to_be_dropped(start):
    told = start("ResponseCache", plan="Cache it.\n").out
    assert "no plan was registered (standard input held fewer than 3 words of one)" in told


def test_what_the_plan_took_is_a_row_of_cost(start, store):
    told = start("ResponseCache", plan=f"{PLAN}baseline_tokens: 1840\n").out
    assert "recorded the baseline of " in told
    start("ResponseCache", "--tokens", "12", "--seconds", "1.5", "--call-id", "c1")
    first, second = map(json.loads, (store / "cost.jsonl").read_text().splitlines())
    assert (first["op"], first["tokens"], first["seconds"]) == ("baseline", 1840, None)
    assert (second["tokens"], second["seconds"], second["call_id"]) == (12, 1.5, "c1")
    assert "baseline_tokens: 12" in drafts(store)[1].sections[-1].text


def test_a_second_task_of_the_same_words_has_a_draft_of_its_own(start, store):
    start("ResponseCache")
    start("ResponseCache")
    first, second = (draft.id for draft in drafts(store))
    assert second == f"{first}-2"


def test_a_given_id_is_never_written_over(start, store):
    assert start("ResponseCache", "--id", "77-cache").code == 0
    before = (store / "sessions" / "77-cache.md").read_bytes()
    answer = start("Other", "--id", "77-cache")
    assert answer.code == 2
    assert "already exists" in answer.out
    assert (store / "sessions" / "77-cache.md").read_bytes() == before
    assert start("Other", "--id", "Bad Id").code == 2


@pytest.mark.parametrize(
    "underlined", ["Reuse Log\n---", "x\r## Reuse Log\r", "Reuse Log\n---\u2028"]
)
def test_no_line_of_a_plan_becomes_a_section(start, store, underlined):
    assert start("ResponseCache", plan=f"one two three\n{underlined}\nfour\n").code == 0
    (draft,) = drafts(store)
    assert [each.role for each in draft.sections] == ["prereg"]


def test_headings_stay_inside_the_plan_and_secrets_outside_the_store(start, store):
    secret = "ghp_" + "a1B2" * 9
    start("ResponseCache", secret, plan=f"## Approach\nUse {secret} to call it.\n# Next\nDone.\n")
    (draft,) = drafts(store)
    assert [section.role for section in draft.sections] == ["prereg"]
    held = [path.read_text() for path in store.rglob("*") if path.is_file()]
    assert secret not in "".join(held)
    assert "#### Approach\nUse [redacted:github-token] to call it." in draft.sections[0].text


def test_a_plan_that_is_too_long_is_refused(start, store):
    answer = start("ResponseCache", plan="word " * 10_000)
    assert answer.code == 2
    assert "The plan has more than 16000 bytes." in answer.out
    assert drafts(store) == []


def test_a_title_of_any_characters_is_read_back(start, store):
    start("Cache: \"a\" # b 'c' \\ 缓存 \x1b[2J", "--id", "1-a")
    path = store / "sessions" / "1-a.md"
    draft = read_document(path.name, path.read_bytes())
    assert draft.title == "Cache: \"a\" # b 'c' \\ 缓存 \\x1b[2J"


def test_json_gives_the_draft_and_the_answer(start):
    data = start("ResponseCache", "--json").data
    assert data["is_registered"] is True
    assert data["read"][0].startswith("engmem read 1000001-response-cache")
    assert data["search"]["hits"][0]["id"] == "1000001-response-cache"


def test_a_missing_store_is_told_before_anything_is_written(shell, home):
    answer = shell("start", "x", "--store", str(home / "no"), program="engmem", stdin=PLAN)
    assert answer.code == 2
    assert answer.out.startswith("error: store not found")


def test_research_begins_without_a_plan_only_for_a_reason_that_keeps_it_apart(start, store):
    why = "--baseline-unavailable"
    told = start("ResponseCache", "--mode", "research", why, "  ", plan="")
    assert told.code == 2
    assert why in told.err
    both = start("ResponseCache", "--mode", "research", why, "memory was read already")
    assert both.code == 2
    assert not drafts(store)
    assert not (store / "telemetry.jsonl").exists()
    begun = start("ResponseCache", "--mode", "research", why, "memory\nwas read: twice", plan="")
    assert begun.code == 0
    (draft,) = drafts(store)
    assert draft.baseline_unavailable == "memory was read: twice"
    assert read_story(draft).observation == "incomplete"
