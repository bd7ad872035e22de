"""Whole lines in a room of bytes: what matters first, and all that is missing counted."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentjournal.execution.layout import Item, Part, fill, with_last_line
from agentjournal.execution.ranges import id_ranges, shown_ranges
from agentjournal.text.bounded import size


def item(text, kind="line", **more):
    return Item(text=text, kind=kind, **more)


def test_everything_is_shown_in_order_where_there_is_room():
    parts = [Part(heading="A", items=[item("1"), item("2")]), Part(heading="B", items=[item("3")])]
    filled = fill(parts, 100)
    assert filled.lines == ("A", "1", "2", "B", "3")
    assert filled.used == len("A\n1\n2\nB\n3\n")
    assert not filled.left_out


def test_an_earlier_round_has_its_room_first_and_keeps_its_place():
    part = Part(heading="", items=[item("late" * 5, round=1), item("early")])
    assert fill([part], 10).lines == ("early",)
    assert fill([part], 30).lines == ("late" * 5, "early")


def test_a_heading_without_items_is_not_shown():
    filled = fill([Part(heading="Empty"), Part(heading="Wide", items=[item("x" * 50)])], 40)
    assert filled.lines == ()
    assert filled.left_out == Counter(line=1)


def test_a_detail_never_stands_without_what_it_belongs_to():
    part = Part(
        heading="",
        items=[item("w" * 30), item("  of w", "detail", is_detail=True), item("short")],
    )
    assert fill([part], 20).lines == ("short",)
    assert fill([part], 20).left_out == Counter(line=1, detail=1)


def test_what_was_not_read_is_counted_with_what_found_no_room():
    part = Part(heading="", items=[item("x" * 50), item("y")], unread={"line": 7, "other": 0})
    assert fill([part], 10).left_out == Counter(line=8)


TEXTS = st.text(st.characters(exclude_characters="\n"), max_size=30)
ITEMS = st.builds(
    Item,
    text=TEXTS,
    kind=st.sampled_from("abc"),
    round=st.integers(0, 3),
    is_detail=st.just(False),
)
PARTS = st.lists(st.builds(Part, heading=TEXTS, items=st.lists(ITEMS, max_size=6)), max_size=4)


@given(PARTS, st.integers(0, 300))
def test_no_room_is_ever_overfilled_and_nothing_goes_uncounted(parts, room):
    filled = fill(parts, room)
    assert sum(size(line) + 1 for line in filled.lines) == filled.used <= max(room, 0)
    items = sum(len(part.items) for part in parts)
    headings = sum(
        1 for part in parts if part.heading and any(i.text in filled.lines for i in part.items)
    )
    assert len(filled.lines) + filled.left_out.total() <= items + headings
    assert filled.left_out.total() <= items


def test_ids_are_written_as_ranges_in_the_order_of_the_plan():
    ids = [*(f"T{n:03d}" for n in range(8, 13)), "T-098", "T-099", "T-100", "2.9", "2.10", "U-001"]
    assert [text for text, _ in id_ranges(ids)] == [
        "T008..T012",
        "T-098..T-100",
        "2.9",
        "2.10",
        "U-001",
    ]


def test_ranges_that_do_not_fit_are_counted_by_their_tasks():
    ids = [f"T{n}" for n in range(1, 100, 2)]
    shown = shown_ranges(ids, 30)
    assert shown == "T1, T3, T5, T7, T9, +45 more"
    assert size(shown) <= 30


@given(st.lists(st.integers(0, 50), unique=True).map(sorted), st.integers(0, 80))
def test_ranges_name_or_count_every_id(numbers, cap):
    ids = [f"T-{n}" for n in numbers]
    assert sum(count for _, count in id_ranges(ids)) == len(ids)
    assert size(shown_ranges(ids, cap)) <= max(cap, len(f"+{len(ids)} more"))


@pytest.mark.parametrize("left", [0, 1])
def test_the_line_end_that_printing_adds_lies_within_the_cap(left):
    def compose(reserved):
        return ["x" * (100 - reserved)], Counter({"tasks": left})

    text = with_last_line(compose, Counter({"tasks": 1}), lambda _: "Left out: tasks 1.")
    assert size(text + "\n") == 100
