from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentjournal.text.bounded import size
from agentjournal.text.visible import is_hidden, one_line, visible

FILLERS = {0x115F, 0x1160, 0x3164, 0xFFA0}
HOSTILE = st.text(
    st.characters()
    | st.characters(categories=("Cc", "Cf", "Co", "Zl", "Zp"))
    | st.sampled_from("\u202e\U000e0041\ufe0f\U000e0100\u3164\ud800\x1b\x9b\u2028\\ax")
)


def belongs_to_the_list(number: int) -> bool:
    return (
        unicodedata.category(chr(number)) in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
        or 0xFE00 <= number <= 0xFE0F
        or 0xE0000 <= number <= 0xE01EF
        or number in FILLERS
    )


def test_every_code_point_of_the_list_is_hidden() -> None:
    assert [
        hex(n)
        for n in range(sys.maxunicode + 1)
        if belongs_to_the_list(n) and not is_hidden(chr(n))
    ] == []


def test_no_letter_number_sign_or_assigned_mark_beyond_the_selectors_is_hidden() -> None:
    wrongly = [
        hex(n)
        for n in range(sys.maxunicode + 1)
        if is_hidden(chr(n)) and not belongs_to_the_list(n) and unicodedata.category(chr(n)) != "Cn"
    ]
    ignorable_marks = ["0x34f", "0x17b4", "0x17b5", "0x180b", "0x180c", "0x180d", "0x180f"]
    assert wrongly == ignorable_marks


@given(HOSTILE)
def test_nothing_hidden_comes_out(text: str) -> None:
    assert not [ch for ch in visible(text) if is_hidden(ch) and ch not in "\n\t"]
    assert not [ch for ch in visible(text, keep="") if is_hidden(ch)]
    assert not [ch for ch in one_line(text) if is_hidden(ch)]


@given(HOSTILE)
def test_showing_twice_changes_nothing(text: str) -> None:
    assert visible(visible(text)) == visible(text)
    assert one_line(one_line(text)) == one_line(text)


@given(st.text(st.characters(categories=("L", "N", "P", "S", "Zs"), max_codepoint=0xD7FF)))
def test_text_that_shows_stays_as_it_is(text: str) -> None:
    shown = "".join(ch for ch in text if ord(ch) not in FILLERS)
    assert visible(shown) == shown


@given(HOSTILE, st.integers(0, 40))
def test_one_line_is_one_line_within_its_cap(text: str, cap: int) -> None:
    line = one_line(text, cap)
    assert size(line) <= cap
    assert len(line.splitlines()) <= 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\u202eb", "a\\u202eb"),
        ("a\U000e0041", "a\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("line\n\tindented", "line\n\tindented"),
        ("back\\slash", "back\\slash"),
        ("naïve 日本語 💡", "naïve 日本語 💡"),
    ],
)
def test_hidden_characters_are_spelled_in_ascii(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_white_space_of_every_kind_becomes_one_space() -> None:
    assert one_line("  a\r\n\u2028 b\u00a0\t\x0bc \n") == "a b c"


def test_a_long_line_is_cut_inside_its_cap() -> None:
    assert one_line("word " * 10, 12) == "word word…"


def test_every_hidden_character_is_written_out_and_no_other() -> None:
    differing = [
        point
        for point in range(0x110000)
        if (visible(chr(point), "") == chr(point)) == is_hidden(chr(point))
    ]
    assert differing == []
