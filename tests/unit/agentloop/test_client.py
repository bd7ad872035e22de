"""The client on the wire: what it sends, what it reads, and what it refuses to believe."""

from __future__ import annotations

import json

import httpx
import pytest

from agentjournal.agentloop import BudgetError, Message
from agentjournal.agentloop.client import ChatClient
from agentjournal.errors import ForeignProgramError, InputError
from agentjournal.usage import Observer
from support.model_server import model_server

ASKED = [Message(role="system", content="You help."), Message(role="user", content="hé")]
TOOLS = [{"type": "function", "function": {"name": "echo", "description": "", "parameters": {}}}]
USAGE = {"prompt_tokens": 50, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 0}}
ANSWER = {
    "model": "served",
    "choices": [{"message": {"role": "assistant", "content": "hi"}, "finish_reason": "stop"}],
    "usage": USAGE,
}


@pytest.fixture
def server():
    with model_server() as running:
        yield running


def client(server, **more):
    return ChatClient(endpoint=f"{server.url}/", model="m", **more)


def test_a_request_is_what_it_says_and_no_more(server):
    server.says_json(ANSWER)
    reply = client(server).complete(ASKED)
    assert server.paths == ["/v1/chat/completions"]
    assert json.loads(server.bodies[0]) == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "You help."},
            {"role": "user", "content": "hé"},
        ],
        "max_tokens": 512,
        "temperature": 0.0,
        "stream": False,
    }
    sent = {name.lower() for name in server.headers[0]}
    assert not {"x-flexinfer-cache-key", "x-flexinfer-want-prefix-hit", "authorization"} & sent
    assert (reply.message.content, reply.finish_reason) == ("hi", "stop")
    assert (reply.metrics.cached_tokens, reply.metrics.prompt_tokens) == (0, 50)


def test_keys_and_tools_are_sent_where_they_are_asked_for(server):
    server.says_json(ANSWER)
    client(server, cache_key="session:1", wants_prefix_hit=True, key="k").complete(ASKED, TOOLS)
    headers = {name.lower(): value for name, value in server.headers[0].items()}
    assert headers["x-flexinfer-cache-key"] == "session:1"
    assert headers["x-flexinfer-want-prefix-hit"] == "1"
    assert headers["authorization"] == "Bearer k"
    body = json.loads(server.bodies[0])
    assert (body["tools"], body["tool_choice"]) == (TOOLS, "auto")


def test_headers_of_a_proxy_fill_in_the_metrics(server):
    names = {"Upstream-Ms": "1400", "Cached-Tokens": "9", "Finish-Reason": "length"}
    headers = {f"X-Flexinfer-{name}": value for name, value in names.items()}
    server.says_json({**ANSWER, "usage": {"prompt_tokens": 90}}, headers=headers)
    metrics = client(server).complete(ASKED).metrics
    assert (metrics.upstream_ms, metrics.cached_tokens, metrics.finish_reason) == (
        1400,
        9,
        "length",
    )


def chunk(delta, reason=None, **more):
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}], **more}


def test_a_stream_is_put_together_and_told_as_it_comes(server):
    def part(**more):
        return {"tool_calls": [{"index": 0, **more}]}

    server.says_events(
        chunk({"role": "assistant", "content": "he"}),
        chunk({"content": "llo"}),
        chunk(part(id="c1", function={"name": "echo", "arguments": '{"te'})),
        chunk(part(function={"arguments": 'xt": 1}'}), "tool_calls"),
        {"choices": [], "usage": USAGE, "model": "served"},
        "[DONE]",
    )
    told, calls = [], []
    reply = client(
        server, is_streaming=True, on_text=told.append, observer=Observer(sinks=[calls.append])
    ).complete(ASKED)
    [asked] = reply.message.tool_calls
    assert told == ["he", "llo"]
    assert reply.message.content == "hello"
    assert (asked.id, asked.name, asked.arguments) == ("c1", "echo", '{"text": 1}')
    assert (reply.metrics.cached_tokens, reply.finish_reason) == (0, "tool_calls")
    assert [(call.model, call.usage.input_total) for call in calls] == [("served", 50)]
    assert json.loads(server.bodies[0])["stream_options"] == {"include_usage": True}


def streaming(pieces):
    def answer(_):
        return httpx.Response(200, content=pieces)

    return ChatClient(
        endpoint="http://engine",
        model="m",
        is_streaming=True,
        transport=httpx.MockTransport(answer),
    )


def test_a_stream_keeps_characters_that_only_look_like_the_end_of_a_line():
    said = "one\u2028two\x85three"
    event = json.dumps({"choices": [{"delta": {"content": said}}]}, ensure_ascii=False)
    data = f"data: {event}\r\n\r\ndata: [DONE]".encode()
    pieces = (data[at : at + 7] for at in range(0, len(data), 7))
    assert streaming(pieces).complete(ASKED).message.content == said


def test_a_stream_without_end_is_an_error():
    with pytest.raises(ForeignProgramError, match="larger than"):
        streaming(b"data: " + b"x" * 1_000_000 for _ in range(80)).complete(ASKED)


def test_a_prompt_that_is_too_long_is_a_budget_error_whole_and_streamed(server):
    refused = {"error": {"message": "maximum context length is 8", "tokens_over": 3}}
    server.says_json(refused, status=400)
    server.says_events(refused)
    for is_streaming in (False, True):
        with pytest.raises(BudgetError) as caught:
            client(server, is_streaming=is_streaming).complete(ASKED)
        assert caught.value.over_by == 3


@pytest.mark.parametrize(
    ("answer", "status", "said"),
    [
        ({"choices": []}, 200, "without a choice"),
        ({}, 200, "without a choice"),
        ([], 200, "without a choice"),
        ({"choices": [5]}, 200, "without a choice"),
        ({"error": {"message": "bad tool schema"}}, 400, "answered 400"),
        ({"error": "x" * 5000}, 500, "answered 500"),
    ],
)
def test_other_answers_are_errors_with_what_was_said(server, answer, status, said):
    server.says_json(answer, status=status)
    with pytest.raises(ForeignProgramError, match=said) as caught:
        client(server).complete(ASKED)
    assert len(str(caught.value)) < 700


def test_an_answer_that_is_no_json_is_an_error(server):
    server.says(b"<html>")
    with pytest.raises(ForeignProgramError, match="no JSON"):
        client(server).complete(ASKED)


def test_odd_shapes_read_as_empty_texts(server):
    message = {"content": 5, "tool_calls": [7, {"id": None, "function": {"arguments": {"a": 1}}}]}
    server.says_json({"choices": [{"message": message}], "usage": "x"})
    reply = client(server).complete(ASKED)
    assert reply.message.content == ""
    assert reply.message.tool_calls[0].arguments == '{"a": 1}'


def test_an_engine_that_is_not_there_is_a_sentence():
    with pytest.raises(ForeignProgramError, match="could not be asked"):
        ChatClient(endpoint="http://127.0.0.1:9", model="m").complete(ASKED)


@pytest.mark.parametrize(("endpoint", "model"), [("", "m"), ("/", "m"), ("http://x", "")])
def test_endpoint_and_model_are_needed(endpoint, model):
    with pytest.raises(InputError):
        ChatClient(endpoint=endpoint, model=model)


def test_further_members_of_a_request_are_sent_as_they_are(server):
    server.says_json(ANSWER)
    client(server, extra={"response_format": {"type": "json_object"}, "seed": 1}).complete(ASKED)
    body = json.loads(server.bodies[0])
    assert (body["response_format"], body["seed"]) == ({"type": "json_object"}, 1)
