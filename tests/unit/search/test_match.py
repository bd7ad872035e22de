from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentjournal.search.excerpt import excerpt
from agentjournal.search.match import Field, match
from agentjournal.search.question import is_identifier, is_light, read_question
from agentjournal.search.rank import Frequencies, Posting, pooled, rank, saturated
from agentjournal.search.words import read_words

SOME = Frequencies(200, {"lock": 3, "row": 20, "order": 15})


def matched(question, text, frequencies=SOME):
    return match(read_question(question), [Field(text, 1)], frequencies)


def test_a_rare_word_tells_more_than_a_common_one():
    few = Frequencies(100, {"lock": 1, "row": 50, "all": 100})
    assert few.rarity("unknown") > few.rarity("lock") > few.rarity("row") > few.rarity("all") > 0
    assert 0 < few.likelihood("lock") < few.likelihood("row") < 1


def test_frequencies_of_several_collections_add_up():
    both = pooled([Frequencies(3, {"a": 1, "b": 2}), Frequencies(5, {"b": 1})])
    assert (both.total, dict(both.holding)) == (8, {"a": 1, "b": 3})


def test_repeats_count_less_and_less():
    assert saturated(1) < saturated(2) < saturated(100) < 2.2
    assert saturated(2) - saturated(1) > saturated(3) - saturated(2)
    assert saturated(1, length=5) < saturated(1, length=1)


def test_items_are_ranked_by_what_they_hold_and_equal_ones_by_the_later_id():
    postings = [
        Posting("lock", "a", 1), Posting("lock", "b", 1), Posting("row", "b", 1),
        Posting("lock", "c", 1),
    ]  # fmt: skip
    assert [item for item, _ in rank(postings, SOME, 2)] == ["b", "c"]


def test_a_question_keeps_each_word_once_in_order():
    question = read_question("Locking the row: lock rows, in order")
    assert [word.seen for word in question.words] == ["Locking", "row", "order"]
    assert question.stems == ("lock", "row", "order")


def test_a_page_of_text_asks_for_its_first_words_only():
    assert len(read_question(" ".join(f"word{n}" for n in range(500))).words) == 32


@pytest.mark.parametrize("seen", ["HttpServer", "utf8", "WAL", "iOS17", "3rd"])
def test_a_name_is_told_by_its_spelling(seen):
    assert is_identifier(seen)


@pytest.mark.parametrize("seen", ["server", "Server", "I", "42", "To"])
def test_a_plain_word_is_no_name(seen):
    assert not is_identifier(seen)


@pytest.mark.parametrize("text", ["the new approach", "use a better way", "id 12 x"])
def test_words_of_every_question_are_light(text):
    assert all(is_light(word) for word in read_words(text))


def test_words_are_named_as_they_were_asked_and_found():
    found = matched("Locks of AccountRows", "Locking rows by account order")
    assert found.words == ("locks~locking", "accountrows~account")


def test_all_that_was_asked_is_a_strong_match():
    assert matched("lock order", "Rows are locked in order").is_strong


def test_two_of_many_words_are_strong_only_where_they_are_rare():
    question = "lock the order of every shipment"
    assert matched(question, "Rows are locked in order").is_strong
    common = Frequencies(200, {"lock": 90, "order": 90})
    assert not matched(question, "Rows are locked in order", common).is_strong


def test_one_plain_word_of_several_is_weak_and_a_rare_name_is_strong():
    assert not matched("lock shipment orders", "Rows are locked").is_strong
    assert matched("WAL mode for shipment orders", "The WAL grew").is_strong


def test_a_part_of_a_name_is_no_proof():
    assert not matched("GammaValve", "The valve turns hourly").is_strong


def test_a_beginning_counts_a_little_and_proves_nothing():
    found = matched("authentication", "auth by cookie")
    assert found.words == ("authentication~auth",)
    assert not found.is_strong


def test_nothing_in_common_scores_nothing():
    found = matched("lock order", "a b c")
    assert (found.score, found.share, found.words, found.is_strong) == (0, 0, (), False)


def test_no_question_matches_nothing():
    assert not matched("", "Rows are locked").is_strong


@given(st.text(), st.text())
def test_any_match_is_within_its_bounds_and_repeatable(question, text):
    found = matched(question, text)
    assert 0 <= found.share <= 1.000001
    assert found.score >= 0
    assert found == matched(question, text)


@given(st.text(min_size=1))
def test_every_text_answers_itself_wholly(text):
    found = matched(text, text)
    if any(not is_light(word) for word in read_question(text).words):
        assert found.is_strong


def test_an_excerpt_stands_around_the_rarest_words():
    text = "filler " * 50 + "the lock of the row " + "filler " * 50
    cut = excerpt(text, read_question("row lock"), SOME, 80)
    assert "the lock of the row" in cut
    assert cut.startswith("…")
    assert cut.endswith("…")
    assert len(cut) <= 80


def test_a_short_text_is_its_own_excerpt_on_one_line():
    assert excerpt("a\n b", read_question("b"), SOME) == "a b"


@given(st.text(), st.text(), st.integers(min_value=20, max_value=300))
def test_any_excerpt_is_one_line_of_bounded_length(text, question, width):
    cut = excerpt(text, read_question(question), SOME, width)
    assert len(cut) <= width
    assert "\n" not in cut
