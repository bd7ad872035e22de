from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentjournal import (
    InputError,
    Journal,
    PrefixBroken,
    Prompt,
    check_prefix_extension,
    first_divergence,
    is_cache_safe,
)

CASES = json.loads(
    (Path(__file__).parents[2] / "data" / "vectors" / "prefix.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("kind", [str, str.encode], ids=["text", "bytes"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_check_says_what_the_reference_says(case, kind):
    earlier, later = kind(case["earlier"]), kind(case["later"])
    assert first_divergence(earlier, later) == case["first_divergence"]
    if case["error"] is None:
        check_prefix_extension(earlier, later)
        return
    with pytest.raises(PrefixBroken) as caught:
        check_prefix_extension(earlier, later)
    assert str(caught.value) == case["error"]


@pytest.mark.parametrize(
    ("earlier", "later", "at", "cache_safe", "grew"),
    [
        ("abc", "abc", None, True, False),
        ("abcd", "abc", None, False, False),
        ("abcd", "xyz", 0, False, False),
        ("abc", "abd and more", 2, False, True),
    ],
)
def test_safe_for_the_cache_and_grown_are_two_verdicts(earlier, later, at, cache_safe, grew):
    with pytest.raises(PrefixBroken) as caught:
        check_prefix_extension(earlier, later)
    assert (caught.value.at, caught.value.cache_safe, caught.value.grew) == (at, cache_safe, grew)
    assert is_cache_safe(earlier, later) is cache_safe


def test_the_window_is_sixty_bytes_each_way_and_may_cut_a_character():
    earlier, later = "é" * 40 + "x" + "a" * 90, "é" * 40 + "y" + "a" * 99
    with pytest.raises(PrefixBroken) as caught:
        check_prefix_extension(earlier, later)
    before = str(caught.value).splitlines()[1]
    assert before == '  before: ..."' + "é" * 30 + "x" + "a" * 59 + '"'
    with pytest.raises(PrefixBroken) as caught:
        check_prefix_extension("a" + earlier[:-1], "a" + later)
    assert "a" not in str(caught.value).splitlines()[1].split('"')[1].split("x")[0]


def test_invalid_bytes_are_shown_as_bytes():
    with pytest.raises(PrefixBroken, match=r'\.\.\."\\xff\\x01\\x7f\\u0085"'):
        check_prefix_extension(b"\xff\x01\x7f\xc2\x85", b"\xfe and much longer")


def test_the_first_difference_of_long_texts_is_found():
    text = "a" * 100_000
    for place in (0, 1, 4_095, 50_000, 99_999):
        assert first_divergence(text, text[:place] + "b" + text[place + 1 :] + "c") == place


def test_prompts_are_compared_above_their_boundary():
    journal = Journal("agent")
    journal.record_turn(1, "It began.")
    first = Prompt.of("Constant.\n\n", journal, tail="It is 10:31.")
    assert is_cache_safe(first, Prompt.of("Constant.\n\n", journal, tail="It is 10:32."))
    journal.record_turn(2, "It went on.")
    check_prefix_extension(first, Prompt.of("Constant.\n\n", journal, tail="It is 10:33."))
    with pytest.raises(PrefixBroken, match="prefix diverges at byte 0"):
        check_prefix_extension(first, Prompt.of("10:34. Constant.\n\n", journal))


@pytest.mark.parametrize("value", [None, 5, [{"role": "user", "content": "hi"}]])
def test_what_is_no_prompt_is_refused_and_says_what_is_one(value):
    for pair in ((value, "x"), ("x", value)):
        with pytest.raises(InputError, match="text, bytes, a Prompt, a brief or a request body"):
            check_prefix_extension(*pair)
