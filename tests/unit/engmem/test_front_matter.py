from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentjournal.engmem.front_matter import FrontMatter, Refusal, read_front_matter


def test_fields_are_texts_and_the_body_has_no_empty_ends():
    read = read_front_matter("---\nid: a\ndate: 2026-13-41\nn: 12\non: yes\n---\n\nBody.\n\n")
    assert read == FrontMatter({"id": "a", "date": "2026-13-41", "n": "12", "on": "yes"}, "Body.")


def test_a_text_without_a_block_is_all_body():
    assert read_front_matter("# Title\n---\n") == FrontMatter({}, "# Title\n---")


def test_dashes_inside_a_value_do_not_end_the_block():
    assert read_front_matter("---\ntitle: a --- b\n---\nx").fields == {"title": "a --- b"}


def test_a_key_without_a_value_states_nothing():
    assert read_front_matter("---\na:\nb: ~\nc: null\nd: x\n---\n").fields == {"d": "x"}


def test_an_empty_block_has_no_fields():
    assert read_front_matter("---\n---\nx") == FrontMatter({}, "x")


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        ("a: &x [1]\nb: *x", "anchor or alias"),
        ("a: &x 1", "anchor or alias"),
        ("a: " + "[" * 9 + "]" * 9, "more than 8 deep"),
        ("a: " + "[" * 10_000, "is no YAML"),
        ("a: " + "x" * 17_000, "more than 16 KiB"),
        ("a: [1\nb: 2", "is no YAML at line 3"),
        ("? [a]\n: b", "is no YAML"),
        ("a: \x07", "is no YAML"),
        ("- a\n- b", "holds no fields"),
        ("just words", "holds no fields"),
    ],
)
def test_what_could_grow_or_is_no_mapping_is_refused_with_a_reason(block, reason):
    read = read_front_matter(f"---\n{block}\n---\nBody")
    assert isinstance(read, Refusal)
    assert reason in read.reason


def test_a_block_that_is_never_closed_is_refused():
    assert isinstance(read_front_matter("---\nid: a\n"), Refusal)


def test_no_tag_makes_anything_but_text():
    read = read_front_matter("---\na: !!python/object/apply:os.system [id]\nb: !x y\n---\n")
    assert read == FrontMatter({"a": ["id"], "b": "y"}, "")


@given(st.text(alphabet=st.sampled_from("ab:-&*[]{}!|>%@\t\n \"'#?,x0"), max_size=80))
def test_any_block_is_read_or_refused(block):
    assert isinstance(read_front_matter(f"---\n{block}\n---\n"), FrontMatter | Refusal)
