from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentjournal.engmem.answer.snippet import WIDTH, snippet, wanted


def cut(question, text, heading="Notes"):
    return snippet(text, wanted([question]), heading)


def test_the_first_sentence_stands_for_a_section_without_a_word_asked_for():
    assert cut("zebra", "We chose\nquasar. Then more.") == "We chose quasar."


def test_the_sentence_that_holds_what_is_asked_is_shown():
    text = "First this. Then that.\nRetries are jittered since exports pile up! Last."
    assert cut("exporting retried", text) == "Retries are jittered since exports pile up!"


def test_an_item_of_a_list_is_a_sentence_of_its_own():
    text = "- Tried: a cron job\n- Failed because the queue was full\n- Fixed by a lease"
    assert cut("queue", text) == "- Failed because the queue was full"


def test_a_part_of_a_class_name_is_found():
    text = "Nothing here. The ParcelRouteController owns retries."
    assert cut("RouteController", text) == "The ParcelRouteController owns retries."


def test_a_short_word_is_found_only_as_a_whole():
    assert cut("api", "Rapid growth. The API is slow.") == "The API is slow."


def test_unspaced_scripts_are_found():
    assert cut("缓存", "其他内容. 先预热热门缓存.") == "先预热热门缓存."


def test_a_long_sentence_is_cut_before_and_behind_the_words():
    text = f"{'filler words ' * 50}the quasar lost its acks {'more filler ' * 50}"
    told = cut("quasar acks", text)
    assert "the quasar lost its acks" in told
    assert told.startswith("…")
    assert told.endswith("…")
    assert len(told) <= WIDTH + 1


def test_a_sentence_of_140_characters_is_whole_and_a_longer_one_ends_at_a_word():
    assert cut("x", "a" * 140) == "a" * 140
    told = cut("x", "word " * 40)
    assert told.endswith("word…")
    assert len(told) <= WIDTH


def test_an_empty_section_is_told_by_its_heading():
    assert cut("x", " \n", "Lessons Learned") == "Lessons Learned"


@pytest.mark.parametrize("text", ["\n" * 20_000, " " * 20_000, ".\n " * 9_000, "- \n" * 9_000])
def test_odd_spacing_is_read_in_one_pass(text):
    assert len(cut("quasar", text + "quasar")) <= WIDTH


@given(st.text(max_size=60), st.text(max_size=400))
def test_any_text_gives_one_visible_line(question, text):
    told = cut(question, text)
    assert len(told) <= WIDTH + 1
    assert told.isprintable() or not told.isascii()
    assert "\n" not in told
