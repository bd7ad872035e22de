from __future__ import annotations

import pytest

from agentjournal.engmem.document import Document, read_document
from agentjournal.engmem.front_matter import Refusal
from support.documents import document


def read(text, file="a.md"):
    found = read_document(file, text.encode())
    assert isinstance(found, Document)
    return found


def test_a_complete_document_is_read_as_stated():
    text = document(
        "20260901-export-retry",
        "## Decision Log\nJitter.",
        entities="[ExportWorker, 'brand policy']",
        tags="retry",
        covers_files="[src/x.py]",
        status="' Active '",
    )
    found = read(text)
    assert (found.id, found.date, found.status) == ("20260901-export-retry", "2026-09-01", "active")
    assert found.entities == ("ExportWorker", "brand policy")
    assert found.tags == ("retry",)
    assert found.covers_files == ("src/x.py",)
    assert [each.role for each in found.sections] == ["decisions"]
    assert (found.is_partial, found.faults) == (False, ())


def test_without_front_matter_the_text_says_what_it_can():
    found = read("# Knowledge Base — Parcel router\n\n- **Date:** 2026-02-03\n", "x.md")
    assert (found.id, found.title, found.date) == ("x", "Parcel router", "2026-02-03")
    assert found.is_partial
    assert found.faults == ()


@pytest.mark.parametrize(
    ("field", "value", "fault"),
    [
        ("date", "2026-13-41", "date is no date: 2026-13-41"),
        ("date", "[1]", "date is no single line: ['1']"),
        ("tags", "{a: b}", "tags is no list of texts: {'a': 'b'}"),
        ("status", "done", "status is none of draft, active, superseded: done"),
        ("id", '"a\\nb"', r"id contains embedded newline(s): 'a\nb'"),
        ("id", "x" * 121, "id has more than 120 characters: " + "x" * 57 + "…"),
        ("capture_minutes", "true", "capture_minutes is not a number: true"),
        ("capture_minutes", "[1]", "capture_minutes is not a number: ['1']"),
        ("capture_minutes", ".inf", "capture_minutes is not a number: .inf"),
        ("date", "20260901", "date is no date: 20260901"),
        ("date", "2026-W01-1", "date is no date: 2026-W01-1"),
    ],
)
def test_a_bad_field_is_named_and_hides_nothing(field, value, fault):
    found = read(document("x-y", "## Decision Log\nJitter.", **{field: value}))
    assert found.faults == (fault,)
    assert found.sections[0].text == "Jitter."
    assert found.status == "active"


def test_a_byte_order_mark_and_foreign_line_ends_are_read():
    text = document("x-y", "## Lessons\nOne.").replace("\n", "\r\n")
    found = read_document("a.md", b"\xef\xbb\xbf" + text.encode())
    assert isinstance(found, Document)
    assert (found.id, found.sections[0].text) == ("x-y", "One.")


def test_what_is_not_utf8_is_refused():
    assert read_document("a.md", b"---\nid: \xff\n---\n") == Refusal("it is not UTF-8 (byte 8)")


@pytest.mark.parametrize(
    ("field", "value", "warning"),
    [
        (
            "tags",
            "single",
            "tags is a single value, not a list — treated as a one-element list: ['single']",
        ),
        (
            "entities",
            "[{Router: split}]",
            (
                "entities holds an item that is not text — read as 'Router: split': "
                "{'Router': 'split'}"
            ),
        ),
        ("backfilled", "1", "backfilled is not true/false — treated as false: 1"),
        ("capture_minutes", "3.9", "capture_minutes is not an integer — read as 3: 3.9"),
        (
            "mode",
            "Weekly",
            "mode is none of daily, research — reviews leave this document out: weekly",
        ),
        (
            "baseline_unavailable",
            "''",
            "baseline_unavailable is not a reason — (no reason stated): ",
        ),
        (
            "verified_at_commit",
            "[1]",
            "verified_at_commit is not text — its anchor is unknown: ['1']",
        ),
        (
            "verified_at",
            "abc",
            "verified_at is not a mapping of repository to commit: abc",
        ),
        ("verified_at", "{core: soon}", "verified_at 'core' is not a commit id: soon"),
        (
            "navigation_miss",
            "[{doc: a}]",
            "navigation_miss entry needs both doc and query: {'doc': 'a'}",
        ),
        (
            "repos",
            "{a: b}",
            "repos is not a list, so its repository links are unknown: {'a': 'b'}",
        ),
        ("id", "other", "id 'other' does not match filename 'a'"),
    ],
)
def test_what_is_read_otherwise_than_written_is_warned_of(field, value, warning):
    stated = {"entities": "[X]", field: value}
    found = read(document("a", "## Decision Log\nJitter.", **stated))
    assert (found.faults, found.warnings) == ((), (warning,))


def test_all_other_fields_are_read_as_stated():
    found = read(
        document(
            "a",
            "Text.",
            entities="[X]",
            related="[b-b, c-c]",
            superseded_by="12",
            backfilled="yes",
            capture_minutes="12",
            verified_at_commit="'0123456'",
            verified_at="{core: 0123456, ' web ': ABCDEF0, ui: }",
            mode="Research",
            baseline_unavailable="no sub-agent",
            navigation_miss="[{doc: b-b, query: retries}]",
            author="Ada",
            branch="feat/x",
            pr="12",
            baseline_tokens="1840",
            context_bytes="3120",
            answer_steps="2",
            answer_tokens="9600",
            task_date="2026-08-30",
        )
    )
    assert (found.faults, found.warnings) == ((), ())
    assert (found.related, found.superseded_by) == (("b-b", "c-c"), "12")
    assert (found.backfilled, found.capture_minutes, found.mode) == (True, 12, "research")
    assert (found.verified_at_commit, found.verified_at) == (
        "0123456",
        (("core", "0123456"), ("web", "ABCDEF0"), ("ui", "")),
    )
    assert found.baseline_unavailable == "no sub-agent"
    assert [(each.doc, each.query) for each in found.navigation_miss] == [("b-b", "retries")]
    assert (found.author, found.branch, found.pr) == ("Ada", "feat/x", "12")
    assert (found.baseline_tokens, found.context_bytes) == ("1840", "3120")
    assert (found.answer_steps, found.answer_tokens) == ("2", "9600")
    assert (found.date, found.task_date) == ("2026-09-01", "2026-08-30")


def test_a_list_of_too_many_items_is_cut_and_named():
    many = ", ".join(f"t{n}" for n in range(201))
    found = read(document("a", "Text.", tags=f"[{many}]"))
    assert (len(found.tags), found.tags[-1]) == (200, "t199")
    assert found.faults == ("tags has more than 200 items, the others are not read: 201",)


def test_an_empty_document_is_warned_of_but_for_a_daily_draft():
    assert "document is empty" in read(document("a")).warnings
    assert "document is empty" not in read(document("a", status="draft", mode="daily")).warnings


def test_the_version_is_the_digest_of_the_bytes():
    assert read("Text.\r\n").version == "19fbdea9c5283415"
