"""Every dialect in one form: absent and zero apart, nothing invented, nothing raised."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentjournal.errors import InputError
from agentjournal.usage import DIALECTS, Usage, normalise

DATA = Path(__file__).parents[2] / "data" / "usage"
CASES = json.loads((DATA / "cases.json").read_text())
VECTORS = json.loads((DATA / "vectors.json").read_text())
COUNTS = ("input_total", "cache_read", "cache_write", "output", "reasoning")


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
@pytest.mark.parametrize("is_named", [True, False], ids=["named", "auto"])
def test_every_case_reads_the_same_whether_its_dialect_is_named_or_found(case, is_named):
    usage = normalise(case["body"], case["dialect"] if is_named else "auto")
    assert {name: getattr(usage, name) for name in case["normal"]} == case["normal"]
    assert usage.dialect == case["dialect"]
    assert bool(usage.violations) == ("violations" in case)


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_the_references_vectors_hold_but_for_its_weaknesses(vector):
    usage = normalise({"usage": json.loads(vector["usage_json"]), "model": vector["model"]})
    if "note" in vector:
        assert usage.cached_share is None
        return
    assert usage.is_reported == vector["reported"]
    assert (usage.input_total or 0) == vector["prompt_tokens"]
    assert (usage.cache_read or 0) == vector["cached_prompt_tokens"]
    assert (usage.output or 0) == vector["completion_tokens"]
    if vector["reported"]:
        assert usage.cached_share == vector["cached_share"]


def test_an_absent_completion_is_not_a_completion_of_no_token():
    assert normalise({"usage": {"prompt_tokens": 4}}).output is None


def test_a_violation_keeps_the_values_and_says_what_is_wrong():
    native = {"prompt_tokens": 100, "prompt_tokens_details": {"cached_tokens": 900}}
    usage = normalise({"usage": native})
    assert (usage.input_total, usage.cache_read, usage.cached_share) == (100, 900, None)
    assert usage.native == native
    assert usage.violations == ("cache_read 900 exceeds input_total 100",)


@pytest.mark.parametrize(
    ("native", "said"),
    [
        ({"prompt_tokens": -5}, "input_total -5 is negative"),
        ({"prompt_tokens": "many"}, "prompt_tokens is no count: 'many'"),
        ({"prompt_tokens_details": {"cached_tokens": 50}}, "cache_read 50 stands without"),
        (
            {"prompt_tokens": 10, "cache_read_input_tokens": 6, "cache_creation_input_tokens": 6},
            "cache_read 6 and cache_write 6 exceed input_total 10",
        ),
    ],
)
def test_each_broken_count_is_named(native, said):
    usage = normalise({"usage": native}, "openai-chat")
    assert said in " ".join(usage.violations)
    assert usage.cached_share is None


def test_lifetimes_of_writes_are_kept_where_they_are_given():
    usage = normalise(
        {
            "type": "message",
            "usage": {
                "input_tokens": 1,
                "cache_creation": {"ephemeral_5m_input_tokens": 2, "ephemeral_1h_input_tokens": 3},
            },
        }
    )
    assert (usage.cache_write, usage.cache_write_5m, usage.cache_write_1h) == (5, 2, 3)
    assert usage.input_total == 6


def test_a_responses_stream_is_read_from_its_completed_event():
    events = [
        {"type": "response.created", "response": {"model": "gpt", "usage": None}},
        {"type": "response.output_text.delta", "delta": "x"},
        {
            "type": "response.completed",
            "response": {
                "model": "gpt-served",
                "usage": {
                    "input_tokens": 9,
                    "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 4},
                    "output_tokens": 2,
                    "output_tokens_details": {"reasoning_tokens": 1},
                },
            },
        },
    ]
    usage = normalise(events)
    assert usage.dialect == "openai-responses"
    assert (usage.input_total, usage.cache_read, usage.cache_write) == (9, 0, 4)
    assert (usage.output, usage.reasoning, usage.model) == (2, 1, "gpt-served")


def test_a_gemini_stream_takes_its_last_counts():
    chunks = [
        {"usageMetadata": {"promptTokenCount": 10}, "modelVersion": "g"},
        {"usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 7}, "modelVersion": "g"},
    ]
    usage = normalise(chunks)
    assert (usage.dialect, usage.input_total, usage.output, usage.model) == ("gemini", 10, 7, "g")


def test_a_null_in_a_later_delta_does_not_erase_a_count():
    events = [
        {"type": "message_start", "message": {"model": "c", "usage": {"input_tokens": 9}}},
        {"type": "message_delta", "usage": {"output_tokens": 5, "input_tokens": None}},
    ]
    usage = normalise(events)
    assert (usage.input_total, usage.output, usage.model) == (9, 5, "c")


def test_bedrocks_stream_carries_its_counts_in_the_metadata_event():
    usage = normalise([{"messageStop": {}}, {"metadata": {"usage": {"inputTokens": 3}}}])
    assert (usage.dialect, usage.input_total) == ("bedrock", 3)


def test_llamacpp_without_a_cache_count_reused_what_it_did_not_process():
    body = {"usage": {"prompt_tokens": 100}, "timings": {"prompt_n": 20, "predicted_n": 3}}
    usage = normalise(body)
    assert (usage.input_total, usage.cache_read, usage.output) == (100, 80, 3)


@pytest.mark.parametrize(
    "body",
    [None, "text", 3, [], {}, [None, 3], {"usage": []}, {"usage": 4}, {"type": {}}, [{"type": []}]],
)
def test_what_is_no_answer_is_unmeasured(body):
    usage = normalise(body)
    assert usage == Usage(model=None)
    assert not usage.is_reported


def test_an_unknown_dialect_is_refused_with_the_list():
    with pytest.raises(InputError, match="openai-chat"):
        normalise({}, "latin")


NAMES = """usage usageMetadata timings token_usage metadata response message type object model
prompt_tokens completion_tokens input_tokens output_tokens prompt_tokens_details
input_tokens_details cached_tokens cache_write_tokens cache_read_input_tokens
cache_creation_input_tokens cache_creation ephemeral_5m_input_tokens ephemeral_1h_input_tokens
prompt_cache_hit_tokens prompt_cache_miss_tokens promptTokenCount cachedContentTokenCount
candidatesTokenCount thoughtsTokenCount cache_n prompt_n predicted_n inputTokens outputTokens
cacheReadInputTokens cacheWriteInputTokens cache_read_tokens cache_creation_tokens
completion_tokens_details output_tokens_details reasoning_tokens""".split()  # noqa: SIM905 - a list of words
LEAVES = st.one_of(
    st.none(), st.integers(1, 9000), st.integers(), st.booleans(), st.floats(), st.text(max_size=5)
)
BODIES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.dictionaries(st.sampled_from(NAMES), inner, max_size=8), st.lists(inner, max_size=4)
    ),
    max_leaves=30,
)


@given(body=BODIES, dialect=st.sampled_from(["auto", *DIALECTS]))
def test_no_body_raises_and_parts_never_exceed_the_whole(body, dialect):
    usage = normalise(body, dialect)
    share = usage.cached_share
    assert share is None or 0 <= share <= 1
    if not usage.violations and usage.input_total is not None:
        assert 0 <= (usage.cache_read or 0) + (usage.cache_write or 0) <= usage.input_total


@given(body=BODIES, dialect=st.sampled_from(["auto", *DIALECTS]))
def test_no_zero_is_invented(body, dialect):
    usage = normalise(body, dialect)
    if any(getattr(usage, name) == 0 for name in COUNTS) and not usage.violations:
        assert any(leaf == 0 for leaf in leaves(body))


def leaves(value):
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in leaves(item)]
    if isinstance(value, list):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]
