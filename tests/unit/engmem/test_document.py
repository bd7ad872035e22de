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
