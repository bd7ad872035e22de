"""One line under today's packages: calls are seen, and nothing about them changes."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import subprocess
import sys
import threading

import anthropic
import httpx
import httpx2
import openai
import pytest

from agentjournal import usage
from agentjournal.errors import InputError
from agentjournal.usage import Observer, Subject

CHAT = {
    "id": "1",
    "object": "chat.completion",
    "created": 1,
    "model": "served",
    "choices": [
        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "hé"}}
    ],
    "usage": {
        "prompt_tokens": 1200,
        "completion_tokens": 30,
        "total_tokens": 1230,
        "prompt_tokens_details": {"cached_tokens": 1024},
    },
}
CHUNKS = (
    {
        "id": "1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "served",
        "choices": [{"index": 0, "delta": {"content": 'say "usage": {'}}],
        "usage": None,
    },
    {
        "id": "1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "served",
        "choices": [],
        "usage": CHAT["usage"],
    },
    "[DONE]",
)
MESSAGE = {
    "id": "m",
    "type": "message",
    "role": "assistant",
    "model": "claude-served",
    "content": [{"type": "text", "text": "hi"}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {
        "input_tokens": 210,
        "cache_read_input_tokens": 3968,
        "cache_creation_input_tokens": 512,
        "output_tokens": 30,
    },
}
MESSAGE_EVENTS = (
    {
        "type": "message_start",
        "message": {
            **MESSAGE,
            "content": [],
            "usage": {
                "input_tokens": 210,
                "cache_read_input_tokens": 3968,
                "cache_creation_input_tokens": 0,
                "output_tokens": 1,
            },
        },
    },
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
RESPONSE = {
    "id": "r",
    "object": "response",
    "created_at": 1,
    "model": "gpt-served",
    "output": [],
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
    "usage": {
        "input_tokens": 2048,
        "input_tokens_details": {"cached_tokens": 1920, "cache_write_tokens": 128},
        "output_tokens": 64,
        "output_tokens_details": {"reasoning_tokens": 40},
        "total_tokens": 2112,
    },
}


def open_ai(server, **more):
    return openai.OpenAI(base_url=f"{server.url}/v1", api_key="k", max_retries=0, **more)


def claude(server, **more):
    return anthropic.Anthropic(base_url=server.url, api_key="k", max_retries=0, **more)


def counts(call):
    seen = call.usage
    return seen.input_total, seen.cache_read, seen.output


def test_openai_answers_are_seen(server, observer, calls):
    server.says_json(CHAT)
    with usage.observe(open_ai(server), observer) as client:
        answer = client.chat.completions.create(model="asked", messages=MESSAGES)
    assert answer.choices[0].message.content == "hé"
    [call] = calls
    assert counts(call) == (1200, 1024, 30)
    assert (call.model, call.lane) == ("served", f"{server.url}/v1")
    assert call.ms >= 0


def test_openai_streams_are_seen_and_text_that_looks_like_usage_is_not(server, observer, calls):
    server.says_events(*CHUNKS)
    with usage.observe(open_ai(server), observer) as client:
        stream = client.chat.completions.create(
            model="asked",
            messages=MESSAGES,
            stream=True,
            stream_options={"include_usage": True},
        )
        text = "".join(c.choices[0].delta.content or "" for c in stream if c.choices)
    assert text == 'say "usage": {'
    assert [counts(call) for call in calls] == [(1200, 1024, 30)]


def test_openai_responses_are_seen_whole_and_streamed(server, observer, calls):
    server.says_json(RESPONSE)
    server.says_events(
        {"type": "response.created", "sequence_number": 0, "response": {**RESPONSE, "usage": None}},
        {"type": "response.completed", "sequence_number": 1, "response": RESPONSE},
    )
    with usage.observe(open_ai(server), observer) as client:
        client.responses.create(model="asked", input="hello")
        for _ in client.responses.create(model="asked", input="hello", stream=True):
            pass
    assert [counts(call) for call in calls] == [(2048, 1920, 64)] * 2
    assert [call.usage.cache_write for call in calls] == [128, 128]


def test_anthropic_answers_and_streams_are_seen(server, observer, calls):
    server.says_json(MESSAGE)
    server.says_events(*MESSAGE_EVENTS)
    with usage.observe(claude(server), observer) as client:
        client.messages.create(model="asked", max_tokens=9, messages=MESSAGES)
        with client.messages.stream(model="asked", max_tokens=9, messages=MESSAGES) as stream:
            assert stream.get_final_text() == "hi"
    assert [counts(call) for call in calls] == [(4690, 3968, 30), (4178, 3968, 30)]
    assert {call.model for call in calls} == {"claude-served"}


def test_async_clients_are_seen(server, observer, calls):
    server.says_json(CHAT)
    server.says_events(*CHUNKS)
    server.says_json(MESSAGE)
    server.says_events(*MESSAGE_EVENTS)

    async def talk():
        base = f"{server.url}/v1"
        async with usage.observe(
            openai.AsyncOpenAI(base_url=base, api_key="k", max_retries=0), observer
        ) as client:
            await client.chat.completions.create(model="a", messages=MESSAGES)
            async for _ in await client.chat.completions.create(
                model="a", messages=MESSAGES, stream=True
            ):
                pass
        async with usage.observe(
            anthropic.AsyncAnthropic(base_url=server.url, api_key="k", max_retries=0), observer
        ) as client:
            await client.messages.create(model="a", max_tokens=9, messages=MESSAGES)
            async with client.messages.stream(model="a", max_tokens=9, messages=MESSAGES) as stream:
                await stream.get_final_message()

    asyncio.run(talk())
    assert [call.usage.cache_read for call in calls] == [1024, 1024, 3968, 3968]


@pytest.mark.parametrize("package", [httpx, httpx2])
@pytest.mark.parametrize("encoding", ["gzip", None])
def test_bytes_pass_as_they_came_through_both_packages(server, observer, calls, package, encoding):
    plain = json.dumps(CHAT, ensure_ascii=False, indent=3).encode()
    sent = gzip.compress(plain) if encoding else plain
    pieces = [sent[at : at + 7] for at in range(0, len(sent), 7)]
    server.says(*pieces, headers={"Content-Encoding": encoding} if encoding else {})
    asked = json.dumps({"model": "a", "messages": MESSAGES}, indent=2).encode()
    with (
        package.Client() as client,
        usage.observe(client, observer).stream(
            "POST", f"{server.url}/v1/chat/completions", content=asked
        ) as answer,
    ):
        assert b"".join(answer.iter_raw()) == sent
    assert server.bodies == [asked]
    assert [counts(call) for call in calls] == [(1200, 1024, 30)]


@pytest.mark.parametrize("package", [httpx, httpx2])
def test_a_chunk_is_passed_on_before_the_next_one_comes(server, observer, calls, package):
    gate = threading.Event()
    chunks = server.says_events(*CHUNKS, gate=gate)
    got = []
    with (
        package.Client() as client,
        usage.observe(client, observer).stream(
            "POST", f"{server.url}/v1/chat/completions", json={}
        ) as answer,
    ):
        for piece in answer.iter_raw():
            got.append(piece)
            gate.set()
    assert got == chunks
    assert len(calls) == 1


def test_a_reader_that_leaves_early_counts_once_and_as_unmeasured(server, observer, calls):
    server.says_events(*CHUNKS)
    with (
        httpx.Client() as client,
        usage.observe(client, observer).stream(
            "POST", f"{server.url}/v1/chat/completions", json={"model": "asked"}
        ) as answer,
    ):
        next(answer.iter_raw())
    [call] = calls
    assert not call.usage.is_reported
    assert call.model == "asked"


def test_a_stream_that_breaks_off_raises_what_it_raised_before(server, observer, calls):
    server.says_events(CHUNKS[0], breaks_off=True)
    with httpx.Client() as client, pytest.raises(httpx.RemoteProtocolError):
        usage.observe(client, observer).post(f"{server.url}/v1/chat/completions", json={})
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("path", "status"), [("/v1/embeddings", 200), ("/v1/chat/completions", 400)]
)
def test_other_requests_and_refusals_are_not_counted(server, observer, calls, path, status):
    server.says_json(CHAT, status=status)
    with httpx.Client() as client:
        answer = usage.observe(client, observer).post(f"{server.url}{path}", json={})
    assert (answer.status_code, answer.json()) == (status, CHAT)
    assert calls == []


HOSTILE = [
    b"",
    b"\x00\xff\xfe",
    b"{" * 100_000,
    b'{"usage": {"prompt_tokens": 1e999}}',
    b'{"usage": {"prompt_tokens": ' + b"9" * 5000 + b"}}",
    b'{"usage":' * 2000,
    b'{"model": 5, "usage": "x", "type": {}}',
    b'{"model": "\\ud800", "usage": {"prompt_tokens": 5}}',
    b'{"usage": "' + b"x" * 400_000 + b'"}',
    b'data: {"usage": {\n\ndata: ]\n\n',
]


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream", "image/png"])
@pytest.mark.parametrize("encoding", ["", "gzip", "br", "made-up"])
@pytest.mark.parametrize("body", HOSTILE, ids=range(len(HOSTILE)))
def test_nothing_that_an_answer_holds_reaches_the_caller_as_an_error(body, encoding, kind):
    got = []

    def answer(_):
        headers = {"content-type": kind, "content-encoding": encoding}
        return httpx.Response(200, headers=headers, stream=httpx.ByteStream(body))

    def broken(_):
        raise RuntimeError("a sink of the user's")

    watching = Observer(sinks=[broken, got.append], logger=logging.getLogger("test.hostile"))
    transport = usage.ObservedTransport(httpx.MockTransport(answer), watching)
    with (
        httpx.Client(transport=transport) as client,
        client.stream("POST", "http://model/v1/messages", content=b"{}") as answered,
    ):
        assert b"".join(answered.iter_raw()) == body
    assert len(got) == 1


def test_a_foreign_object_cannot_be_observed():
    with pytest.raises(InputError, match="A dict cannot be observed"):
        usage.observe({})


def test_observing_twice_counts_once(server, observer, calls):
    server.says_json(CHAT)
    with usage.observe(usage.observe(open_ai(server), observer), observer) as client:
        client.chat.completions.create(model="a", messages=MESSAGES)
    assert len(calls) == 1


def test_a_client_with_an_http_client_of_its_own_and_proxies_is_seen(server, observer, calls):
    server.says_json(CHAT)
    mounts = {"http://127.0.0.1": httpx2.HTTPTransport()}
    with usage.observe(open_ai(server, http_client=httpx2.Client(mounts=mounts)), observer) as it:
        it.chat.completions.create(model="a", messages=MESSAGES)
    assert len(calls) == 1


def test_a_component_narrows_the_calls_made_inside_it(server, observer, calls):
    observer.subject = Subject(component="outer", owner="me")
    for _ in range(3):
        server.says_json(CHAT)
    with usage.observe(open_ai(server), observer) as client:
        with usage.component("judge"):
            client.chat.completions.create(model="a", messages=MESSAGES)
            with usage.component(" "):
                client.chat.completions.create(model="a", messages=MESSAGES)
        client.chat.completions.create(model="a", messages=MESSAGES)
    assert [call.subject.component for call in calls] == ["judge", "judge", "outer"]
    assert {call.subject.owner for call in calls} == {"me"}


def test_a_streams_component_is_the_one_of_its_request(server, observer, calls):
    server.says_events(*CHUNKS)
    with usage.observe(open_ai(server), observer) as client:
        with usage.component("judge"):
            stream = client.chat.completions.create(model="a", messages=MESSAGES, stream=True)
        list(stream)
    assert calls[0].subject.component == "judge"


def test_without_an_observer_each_call_is_a_debug_line(server, caplog):
    server.says_json(CHAT)
    with (
        caplog.at_level(logging.DEBUG, "agentjournal.usage"),
        usage.observe(open_ai(server), component="mills-judge") as client,
    ):
        client.chat.completions.create(model="a", messages=MESSAGES)
    [line] = [record for record in caplog.records if record.name == "agentjournal.usage"]
    assert line.message == "llm usage"
    assert (line.llm_component, line.llm_model, line.cached_share) == (
        "mills-judge",
        "served",
        0.8533,
    )


def test_no_prompt_or_key_is_in_what_is_observed(server, observer, calls):
    server.says_json(CHAT)
    with usage.observe(open_ai(server), observer) as client:
        client.chat.completions.create(
            model="a", messages=[{"role": "user", "content": "my secret plan"}]
        )
    assert "my secret plan" not in repr(calls)
    assert "Bearer" not in repr(calls)


def test_a_workers_environment_says_whom_its_calls_count_for():
    environment = {"AGENTJOURNAL_ATTEMPT": "aj-1", "AGENTJOURNAL_PROJECT": "shop"}
    subject = Subject.of_environment(environment | {"AGENTJOURNAL_TASK": "T-1"})
    assert (subject.project, subject.task) == ("shop", "T-1")
    assert subject.attempt != "aj-1"
    assert len(subject.attempt) == 64


def test_importing_usage_loads_no_client_driver_or_exporter():
    heavy = "apsw httpx httpx2 prometheus_client opentelemetry openai anthropic click yaml".split()  # noqa: SIM905 - names
    program = f"import sys, agentjournal.usage; print(*[n for n in {heavy!r} if n in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
