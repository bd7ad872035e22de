"""Parts of the proxy by themselves, for what no request from outside brings about in time."""

from __future__ import annotations

import asyncio
import ssl
import threading
from typing import TYPE_CHECKING

import httpx
import pytest

from agentjournal.proxy.answer import Answer
from agentjournal.proxy.engine import Engine
from agentjournal.proxy.figures import engine_figures
from agentjournal.proxy.findings import Findings
from agentjournal.proxy.gate import Gate
from agentjournal.proxy.refusal import Refusal
from agentjournal.proxy.upstream import Upstream
from agentjournal.usage.subject import Subject
from support.clock import SettableClock
from support.proxies import running_proxy
from support.raw_client import connect, exchange, post, read_all
from support.raw_engine import USAGE, answer, raw_engine, until_left

if TYPE_CHECKING:
    import socket

CHAT = "/v1/chat/completions"


@pytest.fixture
def engine():
    with raw_engine() as running:
        yield running


async def ask(
    engine: Engine, *headers: tuple[bytes, bytes], times: int = 1, closes: bool = True
) -> list[bytes]:
    """Ask so many times, and leave nothing open."""
    host, read = (b"host", engine.upstream.authority.encode()), []
    try:
        for _ in range(times):
            async with engine.ask("GET", b"/x", [host, *headers], b"") as got:
                read.append(b"".join([chunk async for chunk in got]))
    finally:
        if closes:
            engine.close()
            await asyncio.sleep(0)
    return read


def test_an_engine_that_says_nothing_for_too_long_is_given_up(engine):
    engine.says(until_left())
    silent = Engine(Upstream.parse(engine.url), silence=0.2)
    with pytest.raises(Refusal, match="did not answer in time") as refused:
        asyncio.run(ask(silent))
    assert refused.value.status == 504
    assert engine.left.wait(20)


def test_an_engine_that_goes_on_in_time_is_waited_for(engine):
    pause = threading.Event()

    def slowly(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n")
        for _ in range(8):
            pause.wait(0.3)  # far shorter than the silence, on a busy machine too; together longer
            connection.sendall(b"a")

    engine.says(slowly)
    assert asyncio.run(ask(Engine(Upstream.parse(engine.url), silence=2))) == [b"a" * 8]


def test_a_connection_that_does_not_come_is_given_up(monkeypatch):
    async def never(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    async def connect() -> None:
        monkeypatch.setattr(asyncio.get_running_loop(), "create_connection", never)
        await ask(Engine(Upstream.parse("http://127.0.0.1:1")))

    monkeypatch.setattr("agentjournal.proxy.engine._CONNECT_SECONDS", 0.05)
    with pytest.raises(Refusal, match="did not take the connection in time"):
        asyncio.run(connect())


def test_a_connection_that_was_idle_for_long_is_not_used_again(engine, monkeypatch):
    monkeypatch.setattr("agentjournal.proxy.engine._IDLE_SECONDS", 0.0)
    asked = Engine(Upstream.parse(engine.url))
    assert asyncio.run(ask(asked, times=2)) == [USAGE, USAGE]
    assert engine.left.wait(20)


@pytest.mark.parametrize(
    "header", [(b"x y", b"z"), (b"x", b"a\r\nb: c"), (b"x", b"a\nb"), (b"x", b"a\0")]
)
def test_no_header_can_become_another_line(engine, header):
    with pytest.raises(Refusal, match="no header may hold"):
        asyncio.run(ask(Engine(Upstream.parse(engine.url)), header))
    assert engine.requests == []


def test_whoever_asked_may_have_left_before_the_answer_begins():
    async def late() -> Answer:
        got = Answer(lambda: None, lambda: None)
        got.started.cancel()
        got.start(200, [])
        got.break_off()
        return got

    assert asyncio.run(late()).is_over


def test_an_end_lets_the_connection_go_on_whatever_still_waits():
    seen: list[str] = []

    async def large() -> None:
        got = Answer(lambda: seen.append("pause"), lambda: seen.append("resume"))
        got.feed(b"x" * 300_000)
        got.finish()
        assert [len(chunk) async for chunk in got] == [300_000]

    asyncio.run(large())
    assert seen == ["pause", "resume"]


@pytest.mark.parametrize(
    ("host", "port", "names"),
    [
        ("127.0.0.1", 80, {b"127.0.0.1", b"127.0.0.1:80", b"localhost", b"[::1]"}),
        ("127.8.8.8", 81, {b"127.8.8.8:81", b"localhost:81"}),
        ("::1", 81, {b"[::1]:81", b"127.0.0.1:81"}),
        ("10.0.0.1", 81, {b"10.0.0.1:81", b"models.lan:9"}),
        ("fd00::1", 81, {b"[fd00::1]:81", b"models.lan:9"}),
    ],
)
def test_a_listener_is_known_by_its_own_names(host, port, names):
    gate = Gate.of(host, port, names=["Models.lan:9"], token=None)
    assert names <= gate.names
    assert all(name.endswith((b":81", b":80", b":9")) or port == 80 for name in gate.names)


def test_two_headers_that_frame_the_body_are_refused_whichever_parser_let_them_pass():
    gate = Gate.of("127.0.0.1", 81, names=[], token=None)
    host = (b"host", b"127.0.0.1:81")
    for framing in (
        [(b"transfer-encoding", b"chunked"), (b"content-length", b"4")],
        [(b"content-length", b"4"), (b"content-length", b"4")],
        [(b"transfer-encoding", b"gzip")],
    ):
        with pytest.raises(Refusal):
            gate.check([host, *framing])


def test_figures_that_are_no_numbers_are_passed_over():
    page = "vllm:prefix_cache_hits 1.5e3\nvllm:prefix_cache_queries nan\nsglang:cache_hit_rate -\n"
    assert engine_figures(page) == {"vllm:prefix_cache_hits": 1500.0}


def test_what_is_told_once_is_forgotten_at_last():
    class Figures:
        def broken(self, _: object) -> None:
            pass

    told: list[str] = []
    findings = Findings(
        figures=Figures(),
        store=lambda _: None,
        tell=told.append,
        clock=SettableClock(),
        random_bytes=bytes,
    )
    for number in range(1001):
        findings.cut(Subject(owner=str(number)), "m", sent=9, read=1)
    findings.cut(Subject(owner="0"), "m", sent=9, read=1)
    findings.cut(Subject(owner="1000"), "m", sent=9, read=1)
    findings.cut(Subject(), "", sent=9, read=1)
    assert len(told) == 1003
    assert (
        told[-1] == "silent truncation: nobody: about 9 tokens were sent, 1 were read by the engine"
    )


def test_a_page_of_an_engine_without_end_is_read_so_far(engine, tmp_path):
    page = b"sglang:cache_hit_rate 0.25\n" + b"# more\n" * 600_000
    unmeasured = b'{"model": "m", "usage": {"prompt_tokens": 9}}'
    engine.says(answer(unmeasured), answer(page, kind="text/plain"))
    with running_proxy(engine.url, tmp_path) as proxy:
        httpx.post(proxy.url + CHAT, content=b"{}")
        assert 'name="sglang:cache_hit_rate"} 0.25' in httpx.get(f"{proxy.url}/metrics").text


def test_too_many_bodies_at_once_are_refused_for_now(engine, tmp_path, monkeypatch):
    monkeypatch.setattr("agentjournal.proxy.relay._HELD_BYTES", 100_000)
    with running_proxy(engine.url, tmp_path) as proxy:
        held = exchange(proxy.port, post(proxy.port, CHAT, b"x" * 100_001), half_close=False)
        assert not held or held.startswith(b"HTTP/1.1 503")
        assert httpx.post(proxy.url + CHAT, content=b"{}").status_code == 200


def test_looks_that_would_wait_for_too_long_are_left_out(engine, tmp_path, monkeypatch):
    monkeypatch.setattr("agentjournal.proxy.look._WAITING", 0)
    with running_proxy(engine.url, tmp_path) as proxy:
        assert httpx.post(f"{proxy.url}/o/ada{CHAT}", content=b" " * 40_000).content == USAGE
        assert [call.subject.owner for call in proxy.calls] == ["ada"]
        page = httpx.get(f"{proxy.url}/metrics").text
    assert 'agentjournal_proxy_unwatched_total{why="too busy"} 1.0' in page


def test_a_body_that_is_too_large_to_watch_passes_and_is_counted(engine, tmp_path, monkeypatch):
    monkeypatch.setattr("agentjournal.proxy.look.WATCHED_BYTES", 50_000)
    with running_proxy(engine.url, tmp_path) as proxy:
        httpx.post(f"{proxy.url}/o/ada{CHAT}", content=b" " * 60_000)
        assert len(proxy.calls) == 1
        page = httpx.get(f"{proxy.url}/metrics").text
    assert 'agentjournal_proxy_unwatched_total{why="too large"} 1.0' in page


def test_a_stream_without_end_does_not_hold_up_the_stop(engine, tmp_path, monkeypatch):
    monkeypatch.setattr("agentjournal.proxy.server._GOODBYE_SECONDS", 0)
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
    engine.says(until_left(head))
    with running_proxy(engine.url, tmp_path) as proxy, connect(proxy.port) as client:
        client.sendall(post(proxy.port, CHAT, b"{}"))
        said = b""
        while b"hello" not in said:
            said += client.recv(65536)
        proxy.proxy.stop()
        assert b"0\r\n\r\n" not in read_all(client)
    assert engine.left.wait(20)


def test_what_an_engine_says_unasked_closes_the_connection(engine):
    go_on = threading.Event()

    def speaks(connection: socket.socket) -> None:
        connection.sendall(answer(b"1"))
        go_on.wait(20)
        connection.sendall(answer(b"2"))
        until_left()(connection)

    async def ask_and_wait() -> list[bytes]:
        asked = Engine(Upstream.parse(engine.url))
        first = await ask(asked, closes=False)
        gone = asyncio.Event()
        asked._idle[0]._on_lost = lambda _: gone.set()
        go_on.set()
        await gone.wait()
        return first + await ask(asked)

    engine.says(speaks)
    assert asyncio.run(ask_and_wait()) == [b"1", USAGE]


def test_a_body_after_an_answer_to_head_is_no_answer(engine, tmp_path):
    engine.says(answer(b"12345"))
    with running_proxy(engine.url, tmp_path) as proxy:
        got = httpx.head(f"{proxy.url}/v1/models")
        assert (got.headers["content-length"], got.content) == ("5", b"")
        assert httpx.get(f"{proxy.url}/v1/models").content == USAGE


def test_only_engines_behind_tls_have_a_context():
    assert Engine(Upstream.parse("http://h"))._tls is None
    secured = Engine(Upstream.parse("https://h"))._tls
    assert secured.verify_mode is ssl.CERT_REQUIRED
    assert secured.check_hostname
