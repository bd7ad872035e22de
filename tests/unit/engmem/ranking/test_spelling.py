from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agentjournal.engmem.ranking.query import read_query
from agentjournal.engmem.ranking.spelling import is_restricted, runs, spell
from agentjournal.engmem.ranking.widen import edits


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("ResponseCacheController", ["responsecachecontroller", "response", "cache", "controller"]),
        ("HTTPServer2XX", ["httpserver2xx", "http", "server"]),
        ("XMLHttpRequest", ["xmlhttprequest", "http", "request"]),
        ("snake_case_name", ["snake", "case", "name"]),
        ("iOS17Beta", ["ios17beta", "beta"]),
        ("éclairCache", ["éclaircache", "éclair", "cache"]),
        ("don't", ["don", "t"]),
        ("обʼєкт", ["об", "єкт"]),  # noqa: RUF001 - Cyrillic is meant
        ("２０１ / ﬁle", ["201", "file"]),  # noqa: RUF001 - full width is meant
        ("中文搜索", ["中文", "文搜", "搜索"]),
        ("MQSweeper", ["mqsweeper", "sweeper"]),
        ("back-off", ["back", "backoff", "off"]),
    ],
)
def test_a_word_is_read_with_its_parts_but_no_initials_and_no_scraps(word, forms):
    spelled = [each for run in runs(word) for each in spell(run)]
    assert [form for each in spelled for form in (each.form, *dict(each.parts))] == forms


@pytest.mark.parametrize(("form", "expected"), [("sla", True), ("2026", True), ("etag", False)])
def test_short_words_and_numbers_are_restricted(form, expected):
    assert is_restricted(form) == expected


def test_a_question_asks_each_form_once_in_order_and_leaves_out_how_it_is_said():
    query = read_query("what is the RouteController, a route and the SLA")
    assert [token.form for token in query.tokens] == [
        "routecontroller",
        "controller",
        "route",
        "sla",
    ]
    assert query.words == ("routecontroller", "route", "sla")


def test_a_question_of_nothing_but_small_words_asks_for_those():
    assert read_query("to be or not").words == ("to", "be", "or", "not")


@pytest.mark.parametrize(
    ("left", "right", "most", "expected"),
    [
        ("retry", "retry", 1, 0), ("retry", "retr", 1, 1), ("retry", "rtery", 1, 1),
        ("retry", "ratty", 1, 2), ("a", "abcd", 2, 3), ("sequence", "sequenze", 2, 1),
    ],
)  # fmt: skip
def test_slips_are_counted_up_to_the_most_that_matter(left, right, most, expected):
    assert edits(left, right, most) == expected


LETTERS = st.text(alphabet=st.characters(categories=["L", "N", "M", "P", "Z"]), max_size=40)


@given(LETTERS)
@example("中文-中文")
@example("--中文--")
def test_every_word_has_a_key_that_no_mark_of_an_encoded_text_cuts(text):
    for run in runs(text):
        for word in spell(run):
            keys = [word.form, word.key, *(each for part in word.parts for each in part)]
            assert all(keys)
            assert not set("".join(keys)) & set(" ~+=\n\f")


@given(st.text(alphabet="aB3- \n.é", max_size=30))
@example("-a--b---c-d- -e")
def test_hyphens_stay_only_between_two_letters_or_digits(text):
    assert runs(text) == re.findall(r"[^\W_]+(?:-[^\W_]+)*", text)
