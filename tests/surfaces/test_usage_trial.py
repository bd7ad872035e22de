"""The trial of re-proposals tells a model that heeds its brief from one that does not."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.raw_engine import answer, raw_engine

TRIAL = Path(__file__).parents[2] / "benchmarks" / "usage_trial.py"


def chooses(asked, *, heeds: bool) -> bytes:
    """Choose the first of the ways; whoever heeds the brief passes over what it rules out."""
    body = json.loads(asked.body)
    text = body["messages"][0]["content"]
    ways = body["response_format"]["json_schema"]["schema"]["properties"]["way"]["enum"]
    way = next(way for way in ways if not heeds or f"- {way}: It was tried" not in text)
    message = {"role": "assistant", "content": json.dumps({"way": way})}
    usage = {"prompt_tokens": len(text), "prompt_tokens_details": {"cached_tokens": 0}}
    return answer(
        json.dumps({"model": "m", "choices": [{"message": message}], "usage": usage}).encode()
    )


@pytest.mark.parametrize(
    ("heeds", "share", "verdict"),
    [(True, "0.0 %", ": fewer"), (False, "25.0 %", ": no difference shown")],
    ids=["a model that heeds claims", "a model that goes by place"],
)
def test_a_model_that_heeds_claims_is_told_from_one_that_goes_by_place(heeds, share, verdict):
    with raw_engine() as engine:
        engine.usual = lambda asked: chooses(asked, heeds=heeds)
        done = subprocess.run(
            [sys.executable, str(TRIAL), f"{engine.url}/v1", "--model", "m", "--tasks", "5"],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    _, _, with_claims, without, difference = done.stdout.splitlines()
    assert share in with_claims
    assert "25.0 %" in without
    assert difference.endswith(verdict)
    assert len(engine.requests) == 2 * 5 * 4
