from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agentjournal.engmem.answer.page import ALWAYS, Line, Page, own_words
from agentjournal.text.bounded import size

words = st.text(st.characters(codec="utf-8", exclude_characters="\n"), min_size=1, max_size=80)
lines = st.builds(
    Line,
    words,
    st.integers(1, 120) | st.just(ALWAYS),
    st.tuples() | st.tuples(st.sampled_from("abc")),
    st.tuples() | st.tuples(st.sampled_from(["a@1", "b@2", "c@3"])),
)
blocks = st.lists(lines, min_size=1, max_size=6).map(tuple)
groups = st.lists(lines, max_size=3).map(tuple)
pages = st.builds(
    Page, blocks=st.lists(blocks, max_size=5).map(tuple), head=groups, remarks=groups, state=groups
)


@given(pages, st.integers(0, 800))
def test_a_page_never_exceeds_its_cap_and_keeps_what_must_be_there(page, cap):
    kept = page.within(cap)
    if kept is None:
        return
    assert size(kept.text) <= cap or kept.text == "\n"
    for group in (page.head, page.remarks, page.state):
        for line in group:
            assert line.worth < ALWAYS or line.text in kept.text


@given(pages)
def test_a_page_with_room_enough_is_printed_whole(page):
    assert page.within(1_000_000) == page


@given(pages, st.integers(0, 800))
def test_no_line_is_kept_without_its_blocks_first_one(page, cap):
    kept = page.within(cap)
    firsts = [block[0] for block in page.blocks]
    assert kept is None or all(block[0] in firsts for block in kept.blocks)


def test_what_is_worth_least_goes_first():
    page = Page(blocks=((Line("head", ALWAYS), Line("a" * 40, 10), Line("b" * 40, 20)),))
    assert [line.text[0] for block in page.within(119).blocks for line in block] == ["h", "b"]


def test_documents_are_cited_only_by_lines_that_are_printed():
    page = Page(
        blocks=((Line("hit", ALWAYS, cites=("a@1",)), Line("related: b", 5, cites=("b@2",))),)
    )
    assert page.text == "hit\nrelated: b\ncite as (Reuse Log prior-doc): a@1, b@2\n"
    assert page.within(50).text == "hit\ncite as (Reuse Log prior-doc): a@1\n"


def test_a_documents_words_never_begin_like_a_line_of_ours():
    assert own_words("### x (score: 9.9)") == "\\### x (score: 9.9)"
    assert own_words("docs: 9 | drafts: 0") == "\\docs: 9 | drafts: 0"
    assert own_words("Docs are written late.") == "Docs are written late."
