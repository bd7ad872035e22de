from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from agentjournal.engmem.review.page import page
from agentjournal.engmem.review.review import review, review_data
from agentjournal.engmem.review.text import rendered
from support import golden
from support.documents import document, make_store
from support.reviewed import CACHE, PREREG, row, story

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FAR = {"far-cache.md": document("far-cache", CACHE)}


def write(store: Path, name: str, *rows: dict[str, object]) -> None:
    (store / name).write_text("".join(json.dumps(each) + "\n" for each in rows))


def search(session: str | None, ts: str = "2026-11-20T10:00:00+00:00") -> dict[str, object]:
    return {"ts": ts, "session_id": session, "surfaced": []}


def delivery(op: str, session: str | None, size: int, **more: object) -> dict[str, object]:
    ts = "2026-11-20T10:00:00+00:00"
    return {"ts": ts, "op": op, "session_id": session, "channel": "cli", "bytes": size, **more}


def stories(numbers: Iterable[int], *rows: str) -> dict[str, str]:
    return {f"s{n:02}-x.md": story(f"s{n:02}-x", *rows, date=f"2026-09-{n:02}") for n in numbers}


@pytest.mark.parametrize(
    ("distant", "others", "verdict"),
    [
        (range(1, 2), range(2, 3), "met"),
        (range(12, 13), range(1, 12), "met"),
        (range(13, 14), range(1, 13), "not met"),
        ((), range(1, 10), "not decided yet"),
        ((), range(1, 11), "not met"),
    ],
)
def test_the_first_twelve_counted_stories_decide_and_ten_are_needed(
    tmp_path, distant, others, verdict
):
    files = {**FAR, **stories(distant, row("far-cache")), **stories(others)}
    files["far-cache.md"] = document("far-cache", CACHE, status="superseded")
    found = review(make_store(tmp_path / "store", files))
    assert found.endpoint.verdict == verdict


def test_figures_of_the_ritual_keep_apart_what_took_no_part(store):
    found = review(store).audit
    assert (found.active, found.draft, found.superseded) == (11, 1, 0)
    assert found.apart == {"backfilled": 1, "not counted (daily)": 1, "without Pre-reg": 3}
    assert found.conflicting == ("s14-both",)
    assert found.without_trace == ("s14-both",)
    assert found.without_reuse_log == ()


def test_searches_are_counted_by_session_and_those_of_no_document_are_named(store):
    write(
        store,
        "telemetry.jsonl",
        search("s01-near"),
        search("s01-near"),
        search("gone"),
        search(None),
    )
    found = review(store).audit.searches
    assert (found.attributed, found.sessions, found.unattributed) == (3, 2, 1)
    assert found.orphans == ("gone",)
    assert "s01-near" not in found.unsearched
    assert "s02-far" in found.unsearched


def test_a_trace_is_exactly_one_word(tmp_path):
    files = {
        "listed-one.md": story("listed-one", trace="- shell"),
        "exact-one.md": story("exact-one", trace=" shell "),
    }
    found = review(make_store(tmp_path / "store", files)).audit
    assert found.searches.unsearched == ("exact-one",)


def test_since_narrows_searches_and_not_who_was_ever_searched_for(store):
    write(store, "telemetry.jsonl", search("s01-near", "2026-10-01T12:00:00+02:00"))
    found = review(store, "2026-11-01T00:00:00.000000Z").audit.searches
    assert found.attributed == 0
    assert "s01-near" not in found.unsearched
    assert review(store, "2026-10-01T10:00:00.000000Z").audit.searches.attributed == 1


def test_a_search_at_a_time_that_is_none_is_always_counted(store):
    for ts in ("0001-01-01T00:00:00+14:00", "noon"):
        write(store, "telemetry.jsonl", search("s01-near", ts))
        found = review(store, "2026-11-01T00:00:00.000000Z").audit.searches
        assert found.attributed == 1


def test_a_log_that_cannot_be_read_is_unmeasured_and_never_zero(store):
    (store / "telemetry.jsonl").write_bytes(b"\xff\xfe")
    (store / "cost.jsonl").symlink_to("/etc/hostname")
    found = review(store)
    assert found.audit.searches is None
    data = review_data(found)
    assert data["audit"]["searches"] is None
    assert data["recalled"]["bytes"] is None
    text = rendered(found)
    assert text.count("UNMEASURED") == 2


def test_bad_lines_are_counted_and_stop_nothing(store):
    deep = "[" * 100_000
    lines = ["{}", "[]", "not json", deep, '{"session_id": 5}', json.dumps(search("s01-near"))]
    (store / "telemetry.jsonl").write_text("\n".join(lines))
    found = review(store).audit.searches
    assert (found.attributed, found.unattributed, found.unreadable) == (1, 1, 4)


@pytest.mark.parametrize("field", ['"context_bytes": 1e999', '"surfaced": 5', '"channel": []'])
def test_a_search_that_the_telemetry_cannot_take_is_unreadable_in_the_review_too(store, field):
    (store / "telemetry.jsonl").write_text(f'{{"session_id": "s01-near", {field}}}\n')
    found = review(store).audit.searches
    assert (found.attributed, found.unreadable) == (0, 1)


def test_rows_of_cost_that_nobody_meant_stop_nothing(store):
    write(
        store,
        "cost.jsonl",
        {"op": ["read"], "session_id": "a", "bytes": 1},
        {"op": "read", "session_id": "a", "bytes": 10**400},
        {"op": "read", "op_id": {"a": 1}, "session_id": "a", "bytes": 7},
        {"op": "baseline", "session_id": "a", "call_id": [1], "tokens": 10**30},
    )
    cost = review(store).recalled
    assert (cost.deliveries, cost.bytes, cost.unreadable) == (1, 7, 2)
    assert [each.baseline_tokens for each in cost.sessions] == [None]


def test_recall_costs_what_searches_reads_and_briefs_delivered(store):
    write(
        store,
        "cost.jsonl",
        delivery("search", "s01-near", 700, op_id="a"),
        delivery("search", "s01-near", 700, op_id="a"),
        delivery("read", "s01-near", 300, op_id="b"),
        delivery("read", "s01-near", 40, op_id="c") | {"channel": "brief"},
        delivery("read", None, 9),
        delivery("ponder", None, 1),
    )
    write(store, "telemetry.jsonl", search("s01-near") | {"delivered_bytes": 51})
    found = review(store).recalled
    [session] = found.sessions
    assert (session.searches, session.reads, session.briefs, session.bytes) == (2, 1, 1, 1091)
    assert (found.deliveries, found.bytes, found.unattributed, found.unreadable) == (5, 1100, 9, 1)
    assert "about 315 tokens" in rendered(review(store))


def test_a_baseline_told_again_counts_once_and_none_told_is_unmeasured(tmp_path):
    silent = story("silent-one", prereg="## Pre-reg\nA plan.")
    store = make_store(tmp_path / "store", {"silent-one.md": silent})
    assert review(store).baselines.tokens is None
    assert "Plans without memory: UNMEASURED" in rendered(review(store))
    call = {"op": "baseline", "session_id": "silent-one", "call_id": "c1"}
    write(store, "cost.jsonl", call | {"tokens": 5}, call | {"tokens": 7})
    assert (review(store).baselines.tokens, review(store).baselines.stories) == (7, 1)


def test_a_plan_says_its_own_tokens_where_no_call_was_reported(store):
    assert PREREG.endswith("baseline_tokens: 1840")
    found = review(store)
    assert found.baselines.tokens == 1840 * found.baselines.stories > 0


def test_the_text_of_the_worked_example_is_as_it_was(store):
    golden.check("engmem_review.txt", rendered(review(store)))


def test_the_page_of_the_worked_example_is_as_it_was(store):
    golden.check("engmem_review.html", page(review(store), "2026-11-30").rstrip("\n"))


def test_nothing_that_a_document_says_runs_or_is_hidden_on_the_page(tmp_path):
    evil = '"<script>alert(1)</script>\u202e\x1b[31m"'
    files = {"evil-one.md": story("evil-one", row("<b>far</b>", evil, word="<i>"))}
    text = page(review(make_store(tmp_path / "store", files)), "2026-11-30")
    assert "<script" not in text
    assert "<b>far" not in text
    assert not set("\u202e\x1b") & set(text)
    assert "&lt;script&gt;" in text
    assert "http" not in text.replace("http-equiv", "")


def test_a_file_that_is_no_document_is_named(store):
    (store / "sessions" / "broken.md").write_text("---\nid: [\n---\n")
    assert "Not loaded: broken.md: " in rendered(review(store))


def test_a_bar_in_a_quote_breaks_no_table(tmp_path):
    text = story("story-a", '| a\u2502b | "x" | i | reuse |')
    found = rendered(review(make_store(tmp_path / "store", {"story-a.md": text})))
    assert all(line.count("|") == 9 for line in found.split("\n") if line.startswith("|"))


def test_files_that_are_no_documents_are_named_in_json_too(store):
    (store / "sessions" / "broken.md").write_bytes(b"\xff")
    data = json.loads(json.dumps(review_data(review(store))))
    [failure] = data["failures"]
    assert failure["file"] == "broken.md"
    assert failure["reason"]
