from __future__ import annotations

import pytest

from agentjournal.engmem.backfill.keywords import keywords
from agentjournal.engmem.backfill.links import siblings
from agentjournal.engmem.backfill.proposal import propose
from agentjournal.engmem.document import read_document
from support import golden
from support.everyday import FILES


def proposed(
    text: str, file: str = "20260101-old-notes.md", stated: dict[str, object] | None = None
):
    document = read_document(file, text.encode(), "2026-02-03")
    proposal = propose(document, stated or {})
    return {each.name: each.value for each in proposal.fields} if proposal else None


def test_each_field_is_proposed_with_what_says_so():
    document = read_document("20260101-old-notes.md", FILES["20260101-old-notes.md"].encode())
    golden.check("engmem_backfill.txt", propose(document, {}).text())


def test_a_complete_spine_is_left_alone():
    spine = dict.fromkeys(("id", "title", "date", "task_date", "status", "tags", "entities"), "x")
    assert proposed("text", stated=spine) is None


def test_what_is_stated_is_not_proposed():
    fields = proposed("# Title\n", stated={"id": "x", "status": "draft", "repos": []})
    assert not {"id", "status", "repos"} & set(fields)


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("- Status: Superseded by [x](2201-a-b.md)", "superseded"),
        ("* **Status:** partly superseded", "superseded"),
        ("- Status: done, not superseded", "active"),
        ("Status: superseded", "active"),
    ],
)
def test_a_status_line_says_whether_it_is_superseded(line, status):
    fields = proposed(f"# T\n\n{line}\n")
    assert fields["status"] == status
    assert fields.get("superseded_by") == ("2201-a-b" if "2201" in line else None)


def test_without_a_date_line_the_files_day_is_proposed():
    assert proposed("# T\n", "notes.md")["date"] == "2026-02-03"
    assert proposed("# T\n", "20269999-notes.md")["date"] == "2026-02-03"
    assert proposed("# T\n\n- Updated: 2025-12-31\n")["task_date"] == "2025-12-31"


@pytest.mark.parametrize("file", ["20240210-lexer.md", "2024-02-10-lexer.md", "2024-02-10.md"])
def test_the_day_in_a_files_name_comes_before_the_files_time(file):
    fields = proposed("# T\n", file)
    assert (fields["date"], fields["task_date"]) == ("2024-02-10", "2024-02-10")
    assert proposed("# T\n\n- Date: 2025-12-31\n", file)["date"] == "2025-12-31"
    assert proposed("# T\n", file, {"date": "2026-02-03"})["task_date"] == "2026-02-03"


def test_a_document_of_the_ritual_is_not_called_backfilled():
    assert "backfilled" not in proposed("## Pre-reg\nx\n")
    assert proposed("## Notes\nx\n")["backfilled"] is True


def test_names_are_told_from_words():
    text = (
        "**Classes:** `lower word here`, `x`, Foo\n1. numbered Item\n- plain\n"
        "- [Link](2201-a-b.md), Very Long Name With Five Words\n"
        "* n/a, TBD, none, -, v2, a_b, a.b, a/b, some Capital, Capital some, CAP, Über, naïve Über\n"
        "ETAG; TTL · Foo | etag\n" + "x1" * 40
    )
    assert keywords(text) == (
        "lower word here",
        "x",
        "numbered Item",
        "v2",
        "a_b",
        "a.b",
        "a/b",
        "some Capital",
        "CAP",
        "naïve Über",
        "ETAG",
        "TTL",
    )


def test_links_to_files_beside_it_are_related():
    text = (
        '[a](one.md) [b](./two.md#x) [t](three.md "title") [p](four%20words.md) ![img](img.md)\n'
        "`[code](code.md)` [up](../up.md) [sub](sub/s.md) [url](https://e.org/u.md) [[wiki]]\n\n"
        "    [indented](indented.md)\n\n- item\n\n    [listed](listed.md)\n\n"
        "```\n[fenced](fenced.md)\n```\n\n[d]: defined.md\n\n> [q](quoted.md)\nlazy [z](lazy.md)\n"
    )
    assert siblings(text) == ("one", "two", "three", "four words", "listed", "defined")


@pytest.mark.parametrize("text", ["[" * 200_000, "[a](" * 50_000, "`" * 100_000, "> " * 100_000])
def test_hostile_text_costs_little(text):
    assert siblings(text) == ()
    keywords(text)
