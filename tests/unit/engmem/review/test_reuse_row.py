from __future__ import annotations

import pytest

from agentjournal.engmem.review.reuse_row import reuse_rows, says_none

HEAD = "| prior-doc | taken | impact | classification |\n|---|:-:|---|---|\n"


def test_cells_are_read_by_their_place_whatever_the_header_says():
    [row] = reuse_rows(HEAD + '| old-doc | "fixed delays" | dropped mine | reuse | yes |')
    assert (row.cited, row.taken, row.impact, row.classification, row.line) == (
        "old-doc",
        '"fixed delays"',
        "dropped mine",
        "reuse",
        2,
    )


def test_a_row_that_ends_early_has_empty_cells():
    [row] = reuse_rows("| old-doc | taken")
    assert (row.impact, row.classification) == ("", "")


@pytest.mark.parametrize(
    "line", ["", "text", "| prior-doc | taken |", "|---|---|", "| | taken |", "| alone |", "|"]
)
def test_what_names_no_document_is_no_row(line):
    assert reuse_rows(line) == []


@pytest.mark.parametrize("cited", ["[[old-doc]]", "`old-doc`", "[old-doc]", " old-doc "])
def test_brackets_and_backticks_around_an_id_are_left_away(cited):
    [row] = reuse_rows(f"| {cited} | taken |")
    assert row.cited == "old-doc"


def test_a_version_is_split_off_unless_there_is_a_document_of_that_very_name():
    [row] = reuse_rows("| old-doc@0123456789abcdef | taken |")
    assert row.split_version(frozenset({"old-doc"})) == ("old-doc", "0123456789abcdef")
    assert row.split_version(frozenset({row.cited})) == (row.cited, None)


@pytest.mark.parametrize(
    ("taken", "quotes"),
    [
        ('"fixed delays"', ("fixed delays",)),
        (
            "\u201cfixed delays\u201d and \u00abexports pile up\u00bb",
            ("fixed delays", "exports pile up"),
        ),
        ('"abc"', ()),
        ('"    "', ()),
        ("'fixed delays'", ()),
        ('"never closed', ()),
    ],
)
def test_a_quote_stands_in_quotation_marks_and_has_four_characters(taken, quotes):
    [row] = reuse_rows(f"| old-doc | {taken} | impact |")
    assert row.quotes == quotes


def test_none_is_said_by_exactly_one_line():
    assert says_none("text\n  Prior docs used: none.  \n")
    assert not says_none("Prior docs used: none")
    assert not says_none("- Prior docs used: none.")
