"""What the proxy says of what passes: usage per owner, broken prefixes, cut prompts, and nothing secret."""

from __future__ import annotations

import gzip
import json
import re
from hashlib import sha256
from pathlib import Path

import httpx
import pytest

from agentjournal.orchestrator.base_url import Seat, base_urls
from support.proxies import running_proxy
from support.raw_engine import answer, cut, raw_engine

CHAT = "/v1/chat/completions"
WORDS = "one two three four five six seven eight nine ten "


@pytest.fixture
def engine():
    with raw_engine() as running:
        yield running


@pytest.fixture
def proxy(engine, tmp_path):
    with running_proxy(engine.url, tmp_path) as running:
        yield running


def chat(*messages: str, system: str = "You help.", model: str = "m", **more) -> bytes:
    """A conversation: what was said in turn by user and assistant."""
    said = [
        {"role": "assistant" if place % 2 else "user", "content": text}
        for place, text in enumerate(messages)
    ]
    return json.dumps(
        {"model": model, "messages": [{"role": "system", "content": system}, *said], **more}
    ).encode()


def usage(prompt: int, cached: int | None = 0, **more) -> bytes:
    details = {} if cached is None else {"prompt_tokens_details": {"cached_tokens": cached}}
    counts = {"prompt_tokens": prompt, "completion_tokens": 5, **details}
    return answer(json.dumps({"model": "m", "usage": counts, **more}).encode())


def send(proxy, body: bytes, path: str = f"/o/ada{CHAT}", **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.post(proxy.url + path, content=body, headers=named)


# --- who asks ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "headers", "expected"),
    [
        ("/o/ada", {}, ("ada", None, "")),
        ("", {"X_Agentjournal_Owner": "ada"}, ("ada", None, "")),
        ("/o/ada", {"X_Agentjournal_Owner": "bob"}, ("bob", None, "")),
        ("/o/ad%C3%A1%20b", {}, ("adá b", None, "")),
        ("", {"X_Claude_Code_Session_Id": "s1"}, ("s1", None, "claude-code")),
        (
            "",
            {"X_Claude_Code_Session_Id": "s1", "x_claude_code_agent_id": "a7"},
            ("s1", "a7", "claude-code"),
        ),
        ("/o/ada", {"X_Claude_Code_Session_Id": "s1"}, ("ada", "s1", "claude-code")),
        ("", {"session_id": "s2", "thread_id": "t2"}, ("s2", "t2", "codex")),
        (
            "",
            {"session_id": "s2", "thread_id": "t3", "x_codex_parent_thread_id": "t2"},
            ("s2", "t3", "codex"),
        ),
        ("", {"x_session_id": "s4", "User_Agent": "opencode/1.18"}, ("s4", None, "opencode")),
        ("", {"x_session_id": "s4"}, ("s4", None, "")),
        ("", {}, (None, None, "")),
    ],
)
def test_usage_is_counted_for_whoever_asks(engine, proxy, path, headers, expected):
    engine.says(usage(100, 64))
    send(proxy, chat("hello"), path + CHAT, **headers)
    (call,) = proxy.calls
    who = call.subject
    assert (who.owner, who.thread, who.component) == expected
    assert (call.usage.input_total, call.usage.cache_read, call.source) == (100, 64, "proxy")
    assert (call.model, call.lane) == ("m", f"{engine.url}")
    assert engine.requests[0].target == CHAT


def test_an_attempts_token_names_the_attempt_and_is_never_kept(engine, tmp_path):
    digest = sha256(b"aj-secret-token").hexdigest()
    known = {digest: ("shop", "T-001")}
    with running_proxy(engine.url, tmp_path, task_of=known.get) as proxy:
        send(proxy, chat("hello"), CHAT, X_Agentjournal_Attempt="aj-secret-token")
        (call,) = proxy.calls
    subject = call.subject
    assert (subject.owner, subject.attempt) == (digest, digest)
    assert (subject.project, subject.task) == ("shop", "T-001")
    assert "secret" not in repr(call)


def test_the_base_urls_of_a_worker_name_its_task_and_attempt(engine, proxy):
    seat = Seat("shop", "T-1/a:b", "f" * 64)
    urls = base_urls(proxy.url, seat)
    httpx.post(urls["OPENAI_BASE_URL"] + "/chat/completions", content=chat("hello"))
    httpx.post(urls["ANTHROPIC_BASE_URL"] + "/v1/messages?beta=true", content=chat("hello"))
    assert [one.target for one in engine.requests] == [CHAT, "/v1/messages?beta=true"]
    for call in proxy.calls:
        subject = call.subject
        assert (subject.project, subject.task, subject.attempt) == seat
        assert subject.owner == seat.attempt
    for second in range(2):
        body = chat(WORDS, system=f"It is 12:00:0{second}.")
        httpx.post(urls["OPENAI_BASE_URL"] + "/chat/completions", content=body)
    assert proxy.told[0].startswith("prefix broken: shop T-1/a:b, turn 2: clock at ")


def test_only_completions_are_counted(engine, proxy):
    httpx.get(f"{proxy.url}/o/ada/v1/models")
    httpx.post(f"{proxy.url}/o/ada/v1/embeddings", content=b"{}")
    httpx.post(f"{proxy.url}/o/ada/v1/messages/count_tokens", content=b"{}")
    assert proxy.calls == []


def test_an_answer_without_counts_is_unmeasured_and_no_zero(engine, proxy):
    engine.says(answer(b'{"choices": []}'), answer(b"not json"), usage(100, None))
    for _ in range(3):
        send(proxy, chat("hello"))
    assert [call.usage.cache_read for call in proxy.calls] == [None] * 3
    page = httpx.get(f"{proxy.url}/metrics").text
    assert 'agentjournal_llm_unmeasured_calls_total{component="",model="m"} 3.0' in page
    assert "agentjournal_llm_cached_prompt_tokens_total{" not in page


def test_a_stream_that_breaks_off_is_counted_as_far_as_it_came(engine, proxy):
    start = {"type": "message_start", "message": {"model": "c", "usage": {"input_tokens": 210}}}
    event = f"event: message_start\ndata: {json.dumps(start)}\n\n".encode()
    engine.says(
        cut(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
            + b"%x\r\n%s\r\n" % (len(event), event)
        )
    )
    with pytest.raises(httpx.RemoteProtocolError):
        send(proxy, chat("hello"), "/o/ada/v1/messages")
    (call,) = proxy.calls
    assert (call.usage.input_total, call.usage.output, call.model) == (210, None, "c")


def test_the_model_is_read_from_the_path_where_nothing_else_names_it(engine, proxy):
    engine.says(answer(b"{}"))
    send(proxy, b'{"contents": []}', "/o/ada/v1beta/models/gemini-3-pro:generateContent")
    assert proxy.calls[0].model == "gemini-3-pro"


# --- the prefix ----------------------------------------------------------------------------------


def test_a_clock_on_top_is_named_on_the_second_turn_with_path_and_byte(engine, proxy):
    send(proxy, chat(WORDS, system="It is 12:00:01. You help."))
    send(proxy, chat(WORDS, "yes", WORDS, system="It is 12:00:02. You help."))
    (broken,) = proxy.breaks
    assert (broken.cause, broken.turn, broken.block) == ("clock", 2, "system prompt")
    assert (broken.path, broken.byte) == ("messages[0].content", len("It is 12:00:0"))
    assert broken.lost
    cost = f"about {broken.lost} tokens are sent again"
    assert proxy.told == [
        f"prefix broken: ada, turn 2: clock at messages[0].content, byte 13; {cost}"
    ]
    page = httpx.get(f"{proxy.url}/metrics").text
    assert 'agentjournal_llm_prefix_breaks_total{cause="clock",component=""} 1.0' in page


def test_a_conversation_that_only_grows_breaks_nothing(engine, proxy):
    said = [WORDS + str(turn) for turn in range(9)]
    for turn in range(1, 9, 2):
        send(proxy, chat(*said[:turn]))
    assert proxy.breaks == []


def test_a_byte_is_counted_in_utf8(engine, proxy):
    send(proxy, chat("größe " + WORDS, "ja", "weiter"))
    send(proxy, chat("größe: " + WORDS, "ja", "weiter", "gut", "so"))
    assert proxy.breaks[0].byte == len("größe".encode())


@pytest.mark.parametrize(
    ("earlier", "later", "expected"),
    [
        (
            chat(WORDS, tools=[{"name": "a"}, {"name": "b"}]),
            chat(WORDS, "x", "y", tools=[{"name": "b"}, {"name": "a"}]),
            ("reordered tools", "tools[0].name"),
        ),
        (
            chat(WORDS, "I did it.", WORDS),
            chat(WORDS, "I did not.", WORDS, "x", "y"),
            ("edited history", "messages[2].content"),
        ),
        (
            chat(WORDS, model="m", tools=[{"name": "a"}]),
            chat(WORDS, "x", "y", model="n", tools=[{"name": "a"}]),
            ("model change", "model"),
        ),
    ],
)
def test_the_likely_cause_is_named(engine, proxy, earlier, later, expected):
    send(proxy, earlier)
    send(proxy, later)
    assert [(each.cause, each.path) for each in proxy.breaks] == [expected]


def test_owners_are_compared_with_themselves_only(engine, proxy):
    send(proxy, chat(WORDS, "a", "b", system="It is 12:00:01."))
    send(proxy, chat(WORDS, "a", "b", system="It is 12:00:02."), f"/o/bob{CHAT}")
    send(proxy, chat(WORDS, "a", "b", system="It is 12:00:03."), CHAT)
    assert proxy.breaks == []
    page = httpx.get(f"{proxy.url}/metrics").text
    assert 'agentjournal_proxy_unwatched_total{why="no owner"} 1.0' in page


def test_a_subagent_and_a_helper_call_are_conversations_of_their_own(engine, proxy):
    tools = [{"name": "read"}]
    session = {"X_Claude_Code_Session_Id": "s1"}
    agent = {**session, "x_claude_code_agent_id": "a1"}
    send(proxy, chat(WORDS, system="Main.", tools=tools), CHAT, **session)
    send(proxy, chat(WORDS, system="Agent."), CHAT, **agent)
    send(proxy, chat(WORDS, system="Give a title.", model="small"), CHAT, **session)
    send(proxy, chat(WORDS, "x", "y", system="Main.", tools=tools), CHAT, **session)
    send(proxy, chat(WORDS, "x", "y", system="Agent."), CHAT, **agent)
    assert proxy.breaks == []


def test_a_new_conversation_of_the_same_owner_breaks_nothing(engine, proxy):
    send(proxy, chat(WORDS, "yes", "And now the stock, please."))
    send(proxy, chat("Something else altogether: write a poem about rain."))
    assert proxy.breaks == []


def test_an_announced_consolidation_is_counted_and_not_told(engine, proxy):
    send(proxy, chat(WORDS * 3, "yes", WORDS))
    kept = chat("In short: " + WORDS, "yes", WORDS)
    send(proxy, kept, X_Agentjournal_Consolidated="1")
    assert [each.cause for each in proxy.breaks] == ["consolidation, announced"]
    assert proxy.told == []
    assert engine.requests[1].all("x-agentjournal-consolidated") == []


def test_a_request_that_the_engine_refused_is_no_turn(engine, proxy):
    send(proxy, chat(WORDS, "a", "b"))
    engine.says(answer(b"{}", status="400 Bad Request"))
    send(proxy, chat(WORDS, "a", "b", system="Other words."))
    send(proxy, chat(WORDS, "a", "b", "c", "d"))
    assert proxy.breaks == []


def test_packed_and_large_requests_are_watched_too(engine, proxy):
    send(proxy, gzip.compress(chat(WORDS * 2_000, "a")), Content_Encoding="gzip")
    send(proxy, chat("X" + WORDS * 2_000, "a", "b"))
    (broken,) = [each for each in proxy.breaks if each.cause != "silent truncation"]
    assert (broken.path, broken.byte) == ("messages[1].content", 0)


@pytest.mark.parametrize("body", [b"", b"{", b"[1]", b"[" * 100_000, b"\xff\xfe", b'{"model": 5}'])
def test_what_is_no_request_passes_and_is_not_compared(engine, proxy, body):
    assert send(proxy, body).status_code == 200
    assert engine.requests[0].body == body
    assert len(proxy.calls) == 1
    assert proxy.breaks == []


# --- cut prompts ---------------------------------------------------------------------------------


def test_an_engine_that_reads_less_than_was_sent_raises_the_alarm(engine, proxy):
    engine.says(usage(1_250), usage(2_500), usage(2_600), usage(2_600))
    for turns in (1, 2, 4, 5):
        send(proxy, chat(*[WORDS * 100] * turns))
    cut_off = proxy.breaks
    assert [each.cause for each in cut_off] == ["silent truncation"] * 2
    assert "2600 were read" in cut_off[0].detail
    assert proxy.told == [f"silent truncation: ada: {cut_off[0].detail} by m"]  # told once


def test_an_engine_never_heard_before_is_believed_unless_no_tokenizer_does_that(engine, proxy):
    engine.says(usage(40_000 // 9), usage(40_000 // 20))
    for owner in ("ada", "bob"):
        send(proxy, chat(WORDS * 800), f"/o/{owner}{CHAT}")
    assert [each.subject.owner for each in proxy.breaks] == ["bob"]


@pytest.mark.parametrize(
    "more",
    [
        {"previous_response_id": "r1"},
        {"context_management": {"edits": []}},
        {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {}}]}]},
    ],
)
def test_a_prompt_that_cannot_be_measured_raises_no_alarm(engine, proxy, more):
    engine.says(usage(10))
    body = json.loads(chat(WORDS * 800)) | more
    send(proxy, json.dumps(body).encode())
    assert proxy.breaks == []


# --- routing -------------------------------------------------------------------------------------


def test_the_owner_is_pinned_to_a_replica_and_the_body_stays(engine, proxy):
    body = chat("hello")
    send(proxy, body)
    (asked,) = engine.requests
    assert asked.all("x-session-id") == asked.all("x-flexinfer-cache-key") == ["ada"]
    assert asked.body == body


@pytest.mark.parametrize(
    ("headers", "more"),
    [({"X_Session_Id": "mine"}, {}), ({}, {"prompt_cache_key": "mine"})],
)
def test_a_key_that_the_client_sent_stands_alone(engine, proxy, headers, more):
    body = chat("hello", **more)
    send(proxy, body, **headers)
    (asked,) = engine.requests
    assert asked.all("x-session-id") == (["mine"] if headers else [])
    assert asked.all("x-flexinfer-cache-key") == []
    assert asked.body == body


def test_nobody_is_pinned_who_has_no_name_and_nothing_but_completions(engine, proxy):
    send(proxy, chat("hello"), CHAT)
    send(proxy, b"{}", "/o/ada/v1/embeddings")
    assert all(one.all("x-session-id") == [] for one in engine.requests)


def test_the_one_key_that_was_named_is_put_first_and_nothing_else_changes(engine, tmp_path):
    options = {"routing_headers": ("X-Key",), "routing_body_key": "prompt_cache_key"}
    with running_proxy(engine.url, tmp_path, **options) as proxy:
        send(proxy, b' \n{ "model" :"m","x":[1.50,2e3]}\n', "/o/%C3%A4%22" + CHAT)
        send(proxy, b"{}")
        send(proxy, b'{"prompt_cache_key": null}')
    key = sha256('ä"'.encode()).hexdigest()
    first, second, third = engine.requests
    assert (
        first.body == f' \n{{"prompt_cache_key": "{key}", "model" :"m","x":[1.50,2e3]}}\n'.encode()
    )
    assert first.all("x-key") == [key]
    assert second.body == b"{}"
    assert third.body == b'{"prompt_cache_key": null}'


# --- what is kept, and what never is -------------------------------------------------------------


def everything_kept(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


def test_no_word_of_a_prompt_and_no_credential_is_kept(engine, proxy, tmp_path, capfd):
    secret = "sk-live-4242"  # noqa: S105 - an invented one
    headers = {"Authorization": f"Bearer {secret}", "X_Api_Key": secret, "Cookie": secret}
    for second in range(3):
        body = chat("Confidential words", "yes", system=f"It is 12:00:0{second}. Private.")
        send(proxy, body, f"/o/ada{CHAT}?key={secret}", **headers)
    engine.says(cut())
    send(proxy, chat("Confidential words"), f"/o/ada{CHAT}?key={secret}", **headers)
    page = httpx.get(f"{proxy.url}/metrics").text
    assert len(proxy.breaks) == 2
    proxy.measurements.database.close()
    said = (
        everything_kept(tmp_path)
        + page.encode()
        + "".join([*proxy.told, *capfd.readouterr()]).encode()
    )
    for word in (secret, "Confidential", "Private", "12:00"):
        assert word.encode() not in said


def test_bodies_are_kept_where_that_was_asked_for_and_lint_reads_them(engine, tmp_path, shell):
    bodies = [chat(WORDS, "a", "b", system=f"It is 12:00:0{second}.") for second in range(2)]
    folder = tmp_path / "kept"
    with running_proxy(engine.url, tmp_path, keep_text=folder) as proxy:
        for body in bodies:
            send(proxy, body, f"/o/ada{CHAT}", Authorization="Bearer sk-live-4242")
        send(proxy, bodies[0], f"/o/..%2Fada{CHAT}")
        (broken,) = proxy.breaks
    assert "before: It is 12:00:00." in broken.detail
    files = sorted((folder / "ada").iterdir())
    assert [file.read_bytes() for file in files] == bodies
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    assert folder.stat().st_mode & 0o777 == 0o700
    assert len(list(folder.iterdir())) == 2
    assert b"sk-live" not in everything_kept(tmp_path)
    report = shell("usage", "lint", str(folder / "ada"))
    assert report.code == 1
    assert "clock" in report.out


def test_a_folder_that_cannot_be_written_takes_nothing_from_the_rest(engine, tmp_path):
    folder = tmp_path / "kept"
    with running_proxy(engine.url, tmp_path, keep_text=folder) as proxy:
        (folder / "ada").write_text("in the way")
        send(proxy, chat(WORDS, system="It is 12:00:01."))
        send(proxy, chat(WORDS, system="It is 12:00:02."))
        assert [each.cause for each in proxy.breaks] == ["clock"]
        assert len(proxy.calls) == 2


# --- our page ------------------------------------------------------------------------------------


def test_every_series_that_the_how_to_names_is_on_the_page(engine, proxy):
    how_to = Path(__file__).parents[2] / "docs" / "how-to" / "proxy.md"
    named = set(re.findall(r"`(agentjournal_[a-z_]+[a-z])`", how_to.read_text()))
    assert len(named) == 5
    engine.says(usage(100, None), answer(b"sglang:cache_hit_rate 0.5\n", kind="text/plain"))
    send(proxy, chat("hello"), CHAT)
    page = httpx.get(f"{proxy.url}/metrics").text
    assert [name for name in named if f"# TYPE {name.removesuffix('_total')}" not in page] == []


def test_the_page_of_figures_is_ours_and_never_forwarded(engine, proxy):
    send(proxy, chat("hello"))
    for _ in range(2):
        page = httpx.get(f"{proxy.url}/metrics")
    assert page.headers["content-type"].startswith("text/plain")
    assert 'agentjournal_proxy_requests_total{status="2xx"} 1.0' in page.text
    assert httpx.post(f"{proxy.url}/metrics", content=b"{}").status_code == 400
    assert [one.target for one in engine.requests] == [CHAT]


def test_an_engine_that_measures_only_in_its_own_page_is_read_there(engine, tmp_path):
    page = (
        'vllm:prefix_cache_queries_total{model="a"} 300.0\n'
        'vllm:prefix_cache_queries_total{model="b"} 100.0\n'
        "vllm:prefix_cache_hits_total 50\nsglang:cache_hit_rate 0.5\n# vllm:nothing 1\n"
    )
    engine.says(usage(100, None), answer(page.encode(), kind="text/plain"))
    with running_proxy(engine.url + "/v1", tmp_path) as proxy:
        send(proxy, chat("hello"), Authorization="Bearer k")
        text = httpx.get(f"{proxy.url}/metrics").text
    assert 'agentjournal_engine_prefix_cache{name="vllm:prefix_cache_queries"} 400.0' in text
    assert 'agentjournal_engine_prefix_cache{name="vllm:prefix_cache_hits"} 50.0' in text
    assert 'agentjournal_engine_prefix_cache{name="sglang:cache_hit_rate"} 0.5' in text
    assert engine.requests[1].target == "/metrics"
    assert engine.requests[1].all("authorization") == []


def test_an_engine_without_such_a_page_is_asked_once(engine, proxy):
    engine.says(usage(100, None), answer(b"", status="404 Not Found"))
    send(proxy, chat("hello"))
    for _ in range(3):
        assert "prefix_cache{" not in httpx.get(f"{proxy.url}/metrics").text
    assert [one.target for one in engine.requests] == [CHAT, "/metrics"]


@pytest.mark.parametrize(
    "trouble", [answer(b"", status="503 Service Unavailable"), cut()], ids=["busy", "cut off"]
)
def test_a_page_that_does_not_come_once_is_asked_for_again(engine, proxy, trouble):
    engine.says(usage(100, None), trouble, answer(b"vllm:prefix_cache_hits_total 7\n"))
    send(proxy, chat("hello"))
    assert "prefix_cache{" not in httpx.get(f"{proxy.url}/metrics").text
    page = httpx.get(f"{proxy.url}/metrics").text
    assert 'name="vllm:prefix_cache_hits"} 7.0' in page


def test_made_up_models_make_no_endless_series(engine, proxy):
    for number in range(250):
        engine.says(answer(b'{"model": "m%d", "usage": {"prompt_tokens": 1}}' % number))
        send(proxy, b"{}")
    page = httpx.get(f"{proxy.url}/metrics").text
    assert page.count("agentjournal_llm_calls_total{") == 201
    assert 'model="(other)"} 50.0' in page
