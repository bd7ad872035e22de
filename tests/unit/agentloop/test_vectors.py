"""Budget, refusals and metrics as the reference has them, but for its weaknesses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentjournal.agentloop import Budget, BudgetError, estimate_tokens, overflow, turn_metrics
from agentjournal.usage import Usage

VECTORS = json.loads((Path(__file__).parents[2] / "data" / "usage" / "agentloop.json").read_text())


@pytest.mark.parametrize("vector", VECTORS["budget"], ids=lambda v: str(v["prompt_tokens"]))
def test_budget(vector):
    names = ("max_model_len", "output_reserve", "system_tokens")
    budget = Budget(**{name: vector[name] for name in names})
    assert budget.usable == vector["usable"]
    assert budget.prompt_ceiling == vector["prompt_ceiling"]
    if vector["error"] is None:
        budget.check(vector["prompt_tokens"])
        return
    with pytest.raises(BudgetError) as caught:
        budget.check(vector["prompt_tokens"])
    assert str(caught.value) == vector["error"]
    assert caught.value.over_by == vector["over_by"]
    assert caught.value.prompt_tokens == vector["prompt_tokens"]


@pytest.mark.parametrize("vector", VECTORS["overflow_bodies"], ids=lambda v: v["body"][:50])
@pytest.mark.parametrize("status", [400, 413])
def test_overflow_bodies(vector, status):
    found = overflow(status, vector["body"])
    assert (found is not None) == vector["is_budget_error"]
    if found is not None:
        for name in ("over_by", "prompt_ceiling", "prompt_tokens"):
            assert getattr(found, name) == vector[name]


def test_other_statuses_are_no_overflow():
    assert overflow(500, "maximum context length exceeded") is None


@pytest.mark.parametrize("vector", VECTORS["turn_metrics"], ids=lambda v: v["name"])
def test_turn_metrics(vector):
    usage = Usage(
        input_total=vector["body_prompt_tokens"] or None,
        cache_read=vector["body_cached_tokens"] or None,
    )
    found = turn_metrics(vector["headers"], usage)
    assert found.data() == vector["expect"]
    assert json.dumps(found.data(), separators=(",", ":")) == vector["expect_json"]


def test_a_measured_zero_of_the_body_stays_zero():
    found = turn_metrics(None, Usage(input_total=4096, cache_read=0))
    assert (found.cached_tokens, found.prefix_hit_ratio) == (0, 0.0)


def test_a_headers_zero_is_a_zero_too():
    assert turn_metrics({"x-flexinfer-cached-tokens": "0"}).cached_tokens == 0


@pytest.mark.parametrize("value", ["n/a", "", " 5", "0x10", "nan", "1_0", "\u0665"])
def test_malformed_headers_are_passed_over(value):
    names = ("Upstream-Ms", "Cached-Tokens", "Prompt-Tokens", "Prefix-Cache-Hit-Rate")
    found = turn_metrics({f"X-Flexinfer-{name}": value for name in names})
    assert found.data() == {"upstream_ms": 0, "prompt_tokens": 0}


@pytest.mark.parametrize(("text", "tokens"), [("", 1), ("abc", 1), ("abcdefgh", 2), ("éé", 1)])
def test_tokens_are_estimated_from_bytes(text, tokens):
    assert estimate_tokens(text) == tokens
