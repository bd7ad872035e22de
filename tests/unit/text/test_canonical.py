from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentjournal.errors import InputError
from agentjournal.text.canonical import (
    MAX_INTEGER,
    canonical_json,
    content_digest,
    parse_json,
    sha256_hex,
)

TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-MAX_INTEGER, MAX_INTEGER) | TEXT,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXT, inner, max_size=5),
    max_leaves=20,
)


def shuffled(value: object) -> object:
    match value:
        case dict():
            return {key: shuffled(item) for key, item in reversed(value.items())}
        case list():
            return [shuffled(item) for item in value]
        case _:
            return value


@given(VALUES)
def test_canonical_json_reads_back_as_the_same_value(value: object) -> None:
    assert parse_json(canonical_json(value)) == value


@given(VALUES)
def test_canonical_json_does_not_depend_on_the_order_of_keys(value: object) -> None:
    assert canonical_json(shuffled(value)) == canonical_json(value)
    assert content_digest(shuffled(value)) == content_digest(value)


@given(VALUES)
def test_canonical_json_is_a_fixed_point(value: object) -> None:
    text = canonical_json(value)
    assert canonical_json(parse_json(text)) == text


def test_canonical_json_has_the_promised_bytes() -> None:
    value = {"z": [1, True, None], "a": 'é"\\\n\x01\x7f💡', "B": {}, "\U00010000": 1, "\uffff": 2}
    assert canonical_json(value) == (
        '{"B":{},"a":"é\\"\\\\\\n\\u0001\x7f💡","z":[1,true,null],"\uffff":2,"\U00010000":1}'
    )


def test_a_tuple_counts_as_a_list() -> None:
    assert canonical_json({"a": (1, 2)}) == canonical_json({"a": [1, 2]})


def test_the_digest_is_the_sha256_of_the_bytes() -> None:
    assert sha256_hex("é") == "4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c"
    assert content_digest({"b": 1, "a": 2}) == sha256_hex('{"a":2,"b":1}')


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"steps": [{"cost": 0.5}]}, "$.steps[0].cost"),
        ([math.nan], "$[0]"),
        ({"why": "a\0b"}, "$.why"),
        ({"why": "a\ud800b"}, "$.why"),
        ({"\udfff": 1}, "$ (a key)"),
        ({1: "x"}, "$"),
        ({"n": MAX_INTEGER + 1}, "$.n"),
        ({"n": -MAX_INTEGER - 1}, "$.n"),
        ({"when": object()}, "$.when"),
        ({"raw": b"x"}, "$.raw"),
        ({"set": {1}}, "$.set"),
    ],
)
def test_what_has_no_single_spelling_is_refused_by_its_place(value: object, place: str) -> None:
    with pytest.raises(InputError) as refusal:
        canonical_json(value)
    (fault,) = refusal.value.faults
    assert fault.field == place
    assert fault.remedy


def test_deep_nesting_is_refused_and_not_a_crash() -> None:
    value: object = 1
    for _ in range(100_000):
        value = [value]
    with pytest.raises(InputError, match="64 levels"):
        canonical_json(value)
    with pytest.raises(InputError, match="deeply"):
        parse_json("[" * 200_000)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "{'a': 1}",
        '{"a":1,"a":2}',
        "[NaN]",
        "[-Infinity]",
        "[1e999]",
        "9" * 5000,
        "[1]x",
        "\ufeff1",
    ],
)
def test_json_that_is_broken_or_ambiguous_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_json(text)


def test_a_key_given_twice_is_named() -> None:
    with pytest.raises(InputError, match="colour"):
        parse_json(json.dumps({"x": 1})[:-1] + ', "colour": 1, "colour": 1}')
