"""Today's client packages through the proxy, unpatched: pointed at it by a base URL, streaming and not."""

from __future__ import annotations

import asyncio
import json

import anthropic
import openai
import pytest

from support.model_server import model_server
from support.proxies import running_proxy

USAGE = {
    "prompt_tokens": 1200,
    "completion_tokens": 30,
    "total_tokens": 1230,
    "prompt_tokens_details": {"cached_tokens": 1024},
}
CHUNK = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "served"}
CHAT_EVENTS = (
    {**CHUNK, "choices": [{"index": 0, "delta": {"content": "grü"}}], "usage": None},
    {**CHUNK, "choices": [{"index": 0, "delta": {"content": "ße"}}], "usage": None},
    {**CHUNK, "choices": [], "usage": USAGE},
    "[DONE]",
)
START = {
    "type": "message_start",
    "message": {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {
            "input_tokens": 210,
            "cache_read_input_tokens": 3968,
            "cache_creation_input_tokens": 0,
            "output_tokens": 1,
        },
    },
}
MESSAGE_EVENTS = (
    START,
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "hi"}},
    {"type": "content_block_stop", "index": 0},
    {
        "type": "message_delta",
        "delta": {"stop_reason": "end_turn", "stop_sequence": None},
        "usage": {"output_tokens": 30},
    },
    {"type": "message_stop"},
)
MESSAGES = [{"role": "user", "content": "hello"}]


@pytest.fixture
def model():
    with model_server() as running:
        yield running


@pytest.fixture
def proxy(model, tmp_path):
    with running_proxy(model.url, tmp_path) as running:
        yield running


def test_openai_streams_through_it(model, proxy):
    model.says_events(*CHAT_EVENTS)
    with openai.OpenAI(base_url=f"{proxy.url}/o/ada/v1", api_key="sk-4242") as client:
        stream = client.chat.completions.create(
            model="m", messages=MESSAGES, stream=True, stream_options={"include_usage": True}
        )
        said = [choice.delta.content for event in stream for choice in event.choices]
    assert "".join(said) == "grüße"
    assert model.headers[0]["authorization"] == "Bearer sk-4242"
    (call,) = proxy.calls
    assert (call.usage.input_total, call.usage.cache_read, call.model) == (1200, 1024, "served")
    assert call.subject.owner == "ada"


def test_openai_answers_whole_and_awaited_through_it(model, proxy):
    whole = {**CHUNK, "object": "chat.completion", "usage": USAGE}
    whole["choices"] = [
        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "hi"}}
    ]
    model.says_json(whole)

    async def ask() -> str:
        async with openai.AsyncOpenAI(base_url=f"{proxy.url}/v1", api_key="k") as client:
            answer = await client.chat.completions.create(model="m", messages=MESSAGES)
            return answer.choices[0].message.content

    assert asyncio.run(ask()) == "hi"
    assert proxy.calls[0].usage.cached_share == pytest.approx(1024 / 1200)


def test_the_responses_api_streams_through_it(model, proxy):
    response = {
        "id": "r",
        "object": "response",
        "created_at": 1,
        "model": "served",
        "output": [],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 2048,
            "input_tokens_details": {"cached_tokens": 1920},
            "output_tokens": 64,
            "output_tokens_details": {"reasoning_tokens": 40},
            "total_tokens": 2112,
        },
    }
    model.says_events(
        {"type": "response.created", "sequence_number": 0, "response": {**response, "usage": None}},
        {"type": "response.completed", "sequence_number": 1, "response": response},
    )
    with openai.OpenAI(base_url=f"{proxy.url}/o/ada/v1", api_key="k") as client:
        events = list(client.responses.create(model="m", input="hello", stream=True))
    assert [event.type for event in events] == ["response.created", "response.completed"]
    (call,) = proxy.calls
    assert (call.usage.input_total, call.usage.cache_read, call.usage.reasoning) == (2048, 1920, 40)


def test_anthropic_streams_through_it(model, proxy):
    model.says_events(*MESSAGE_EVENTS)
    with (
        anthropic.Anthropic(base_url=f"{proxy.url}/o/ada", api_key="sk-ant-4242") as client,
        client.messages.stream(model="c", max_tokens=9, messages=MESSAGES) as stream,
    ):
        assert stream.get_final_text() == "hi"
    assert model.paths == ["/v1/messages"]
    assert "sk-ant-4242" in " ".join(model.headers[0].values())
    (call,) = proxy.calls
    assert (call.usage.input_total, call.usage.cache_read, call.usage.output) == (4178, 3968, 30)


def test_a_package_that_leaves_a_stream_ends_it_and_the_count_is_what_was_seen(model, proxy):
    model.says_events(*MESSAGE_EVENTS)
    with (
        anthropic.Anthropic(base_url=f"{proxy.url}/o/ada", api_key="k") as client,
        client.messages.stream(model="c", max_tokens=9, messages=MESSAGES) as stream,
    ):
        next(iter(stream))
    assert proxy.calls[0].usage.input_total == 4178


def test_an_error_is_the_packages_own_kind_of_error(model, proxy):
    model.says_json({"error": {"message": "slow down", "type": "x"}}, status=429)
    with (
        openai.OpenAI(base_url=f"{proxy.url}/v1", api_key="k", max_retries=0) as client,
        pytest.raises(openai.RateLimitError, match="slow down"),
    ):
        client.chat.completions.create(model="m", messages=MESSAGES)


@pytest.mark.parametrize("package", ["openai", "anthropic"])
def test_an_engine_that_is_down_is_an_error_with_our_words(tmp_path, package):
    with running_proxy("http://127.0.0.1:1", tmp_path) as proxy:
        if package == "openai":
            client = openai.OpenAI(base_url=f"{proxy.url}/v1", api_key="k", max_retries=0)
            with client, pytest.raises(openai.InternalServerError, match="cannot be reached"):
                client.chat.completions.create(model="m", messages=MESSAGES)
        else:
            client = anthropic.Anthropic(base_url=proxy.url, api_key="k", max_retries=0)
            with client, pytest.raises(anthropic.InternalServerError, match="cannot be reached"):
                client.messages.create(model="c", max_tokens=9, messages=MESSAGES)


def test_a_clock_in_the_system_prompt_is_named_on_the_second_turn(model, proxy):
    history = "A long and stable history. " * 50
    for second in range(2):
        model.says_events(*CHAT_EVENTS)
        with openai.OpenAI(base_url=f"{proxy.url}/o/ada/v1", api_key="k") as client:
            system = {"role": "system", "content": f"Now: 2026-11-30T12:00:0{second}Z. You help."}
            user = {"role": "user", "content": history}
            list(client.chat.completions.create(model="m", messages=[system, user], stream=True))
    (broken,) = proxy.breaks
    assert (broken.cause, broken.path) == ("clock", "messages[0].content")
    assert broken.byte == len("Now: 2026-11-30T12:00:0")
    assert json.loads(model.bodies[1])["messages"][0]["content"][broken.byte] == "1"
