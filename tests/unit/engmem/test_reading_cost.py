"""Reading costs steps in proportion to the bytes, whatever their shape: counted calls, no clock."""

from __future__ import annotations

import sys

import pytest

from agentjournal.engmem.document import Document, read_document

SHAPES = {
    "empty lines": "\n",
    "one line of spaces": " ",
    "headings": "## a\n",
    "headings of level 3": "### a\n",
    "underlined headings": "a\n---\n",
    "fences": "```\n## a\n",
    "open fences": "~~~x\n",
    "dashes": "-",
    "signs": "#",
    "an ordinal": "1.",
    "letters that grow when they are normalised": "\ufdfa",
    "a table": "|a",
    "carriage returns": "\r",
}
HEADS = ("", "## ", "## Lessons Learned\n", "---\nid: a-b\n---\n")


def steps(data: bytes) -> int:
    """Count the calls of functions, C's included, while a document is read."""
    count = 0

    def note(_frame, event, _argument):
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(note)
    try:
        read = read_document("a-b.md", data)
    finally:
        sys.setprofile(None)
    assert isinstance(read, Document)
    return count


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_four_times_the_bytes_cost_four_times_the_steps_at_most(shape, head):
    small, large = ((head + shape * count).encode() for count in (1_000, 4_000))
    assert steps(large) <= 4 * steps(small)


def test_at_most_so_many_headings_split_a_body_and_no_text_is_lost():
    read = read_document("a-b.md", ("## a\ntext\n" * 3_000).encode())
    assert isinstance(read, Document)
    assert len(read.sections) == 2_000
    assert read.sections[-1].text.count("text") == 1_001


@pytest.mark.parametrize(
    "block",
    [
        "a: " + "[" * 15_000,
        "a: " + "{" * 15_000,
        "\n".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 500)),
        "a: b" + " " * 15_000 + "c: d",
        "? " * 7_000,
        "- " * 7_000,
        "a: '" + "''" * 7_000,
    ],
)
def test_a_hostile_block_is_refused_within_few_steps(block):
    count = 0

    def note(_frame, event, _argument):
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(note)
    try:
        read_document("a-b.md", f"---\n{block}\n---\n".encode())
    finally:
        sys.setprofile(None)
    assert count < 2_000
