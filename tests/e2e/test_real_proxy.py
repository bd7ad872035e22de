"""Before a real engine: what the proxy counts is what the engine itself says, and bodies arrive as sent."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import httpx
import openai
import pytest

from support.engine import Engine
from support.proxies import running_proxy
from support.raw_engine import answer, raw_engine

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(1800)]

TURNS = 5
STORY = "The keeper writes down what the sea did today, hour by hour, and what the light did. " * 12


@pytest.fixture(scope="module")
def engine():
    started = Engine.start()
    yield started
    started.stop()


@pytest.fixture
def proxy(engine, tmp_path):
    with running_proxy(engine.base_url, tmp_path) as running:
        yield running


def processed(engine) -> int:
    """Read from the engine's own page how many prompt tokens it worked through in all."""
    page = httpx.get(engine.base_url.removesuffix("/v1") + "/metrics").text
    return int(float(re.search(r"^llamacpp:prompt_tokens_total (\S+)", page, re.MULTILINE)[1]))


def ask(client, messages: list[dict[str, str]]) -> str:
    """Ask as agents do: streaming, with usage in the last event."""
    stream = client.chat.completions.create(
        model="local",
        messages=messages,
        max_tokens=8,
        temperature=0,
        stream=True,
        stream_options={"include_usage": True},
    )
    return "".join(choice.delta.content or "" for event in stream for choice in event.choices)


def test_cached_tokens_of_a_growing_conversation_are_those_of_the_engine(engine, proxy):
    messages = [{"role": "system", "content": f"You keep a lighthouse, number {id(proxy)}."}]
    worked = []
    with openai.OpenAI(base_url=f"{proxy.url}/o/keeper/v1", api_key="none") as client:
        for turn in range(TURNS):
            messages.append({"role": "user", "content": f"Day {turn}. {STORY} What next?"})
            before = processed(engine)
            messages.append({"role": "assistant", "content": ask(client, messages)})
            worked.append(processed(engine) - before)
    calls = proxy.calls
    seen = [(call.usage.input_total, call.usage.cache_read) for call in calls]
    print(f"prompt and cached tokens by turn: {seen}; worked through: {worked}")
    assert len(calls) == TURNS
    assert [total - cached for total, cached in seen] == worked
    assert all(later[1] > earlier[0] * 0.9 for earlier, later in pairwise(seen))
    assert proxy.breaks == []


def test_a_clock_on_top_is_named_on_the_second_turn_and_the_engine_finds_nothing(engine, proxy):
    with openai.OpenAI(base_url=f"{proxy.url}/o/keeper/v1", api_key="none") as client:
        for second in (7, 8):
            clock = {"role": "system", "content": f"Now: 2026-11-30T21:04:0{second}Z. {STORY}"}
            ask(client, [clock, {"role": "user", "content": STORY}])
    (broken,) = proxy.breaks
    assert (broken.turn, broken.cause, broken.path) == (2, "clock", "messages[0].content")
    assert broken.byte == len("Now: 2026-11-30T21:04:0")
    second = proxy.calls[1]
    print(f"{proxy.told[0]}; cached {second.usage.cache_read} of {second.usage.input_total}")
    assert second.usage.cached_share < 0.2
    assert broken.lost > 100


def test_a_large_oddly_written_body_reaches_the_engine_as_it_was_sent(engine, tmp_path):
    """A tap between proxy and engine notes the bytes; the engine answers them."""

    def forward(asked) -> bytes:
        url = engine.base_url.removesuffix("/v1") + asked.target
        got = httpx.post(
            url, content=asked.body, headers={"Content-Type": "application/json"}, timeout=600
        )
        assert got.status_code == 200, got.text
        return answer(got.content)

    body = {
        "model": "local",
        "messages": [{"role": "user", "content": "Größe, 大きさ, размер, \U0001f30a: " * 20}],
        "max_tokens": 4,
        "temperature": 0,
        "metadata": {"note": "wörtlich, 逐語的に, дословно " * 3_000},
    }
    sent = ("\n" + json.dumps(body, ensure_ascii=False, indent=5) + " \n").encode()
    assert len(sent) > 100_000
    with raw_engine() as tap, running_proxy(tap.url, tmp_path) as proxy:
        tap.usual = forward
        got = httpx.post(f"{proxy.url}/o/keeper/v1/chat/completions", content=sent, timeout=600)
        (call,) = proxy.calls
    assert tap.requests[0].body == sent
    assert got.json()["usage"]["prompt_tokens"] == call.usage.input_total
