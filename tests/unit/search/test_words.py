from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentjournal.search.stem import stem
from agentjournal.search.words import LONGEST, read_words, words


@pytest.mark.parametrize(
    "family",
    [
        "retry retries retried retrying",
        "cache caches cached caching cacheable",
        "configure configures configuration configured configurable config",
        "validate validates validated validating validation validator",
        "concurrent concurrency concurrently",
        "migrate migration migrations migrating",
        "persist persistence persistent persisted",
        "depend dependency dependencies dependent",
        "serialise serialize serialization serializer",
        "write writes writer writing written wrote",
        "index indexes indices indexing",
        "store stores stored storing storage",
        "fail failure failed failing",
        "notify notified notification",
        "process processes processing",
        "queue queues queued queueing",
        "alias aliases",
    ],
)
def test_the_inflections_of_a_word_share_one_stem(family):
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("import", "important"), ("string", "strip"), ("status", "state"), ("node", "note")],
)
def test_different_words_keep_different_stems(one, other):
    assert stem(one) != stem(other)


def test_an_identifier_gives_itself_and_its_parts():
    (word,) = read_words("ResponseCacheController")
    assert word.seen == "ResponseCacheController"
    assert word.stems == ("responsecachecontrol", "respons", "cach", "control")


def test_a_hyphenated_word_meets_its_joined_and_its_split_form():
    assert set(words("backoff")) <= set(words("back-off"))
    assert set(words("ahead log")) <= set(words("write-ahead-log"))


def test_a_file_name_gives_its_parts():
    assert words("LedgerWriter.java") == ("ledgerwrit", "ledg", "writ", "java")


def test_repeats_stay_so_that_they_can_be_weighed():
    assert words("lock, locks, locking") == ("lock", "lock", "lock")


def test_case_accents_and_compatibility_forms_are_folded():
    assert words("naïve CAFÉ \ufb01le \uff12\uff10\uff11") == words("naive cafe file 201")


def test_unspaced_scripts_become_pairs():
    assert "缓存" in words("预热缓存顺序")
    assert words("缓存") == ("缓存",)
    assert words("中文searching-缓存") == ("中文", "缓存", "search")


def test_marks_of_other_scripts_stay_in_their_word():
    assert len(words("हिन्दी में")) == 2


def test_words_without_meaning_are_left_out():
    assert words("why should we not have tried the other?") == ()


def test_an_apostrophe_letter_separates():
    assert words("don\u02bct block") == words("block")


def test_a_blob_gives_no_long_word():
    assert max(map(len, words("x" * 100_000 + " " + "Ab" * 50_000))) <= LONGEST


@given(st.text())
def test_any_text_gives_the_same_small_words_again(text):
    found = words(text)
    assert found == words(text)
    assert all(0 < len(word) <= LONGEST and "\x00" not in word for word in found)


@given(st.text())
def test_words_are_those_of_the_words_as_typed(text):
    assert words(text) == tuple(part for word in read_words(text) for part in word.stems)
