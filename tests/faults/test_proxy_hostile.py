"""Hostile peers on both sides of the proxy: no crash, nothing smuggled, nobody waits, memory stays flat.

Each part has a control: what the proxy is made of, without our part, lets the same thing through.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import select
import socket
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest
import uvicorn

from agentjournal.proxy import protocol
from agentjournal.proxy.protocol import LimitedProtocol
from support.proxies import running_proxy
from support.raw_client import connect, exchange, post, read_all
from support.raw_engine import USAGE, answer, raw_engine

CHAT = "/v1/chat/completions"
HOST = "Host: 127.0.0.1:{port}"
SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"


def lines(
    *header: str, first: str = f"POST {CHAT} HTTP/1.1", body: str = "", host: str = HOST
) -> str:
    start = [first, *([host] if host else []), *header, "", ""]
    return "\r\n".join(start) + body


CHUNKED = "Transfer-Encoding: chunked"
HELLO = "5\r\nhello\r\n0\r\n\r\n"

REFUSED = {
    "length then chunked": lines("Content-Length: 4", CHUNKED, body="0\r\n\r\n" + SMUGGLED),
    "chunked then length": lines(CHUNKED, "Content-Length: 4", body="0\r\n\r\n" + SMUGGLED),
    "chunked and no length": lines(CHUNKED, "Content-Length: 0", body=HELLO),
    "unknown coding": lines("Transfer-Encoding: xchunked", body=HELLO),
    "two codings": lines("Transfer-Encoding: gzip, chunked", body=HELLO),
    "identity last": lines("Transfer-Encoding: chunked, identity", body=HELLO),
    "identity": lines("Transfer-Encoding: identity", "Content-Length: 5", body="hello"),
    "chunked twice": lines(CHUNKED, CHUNKED, body=HELLO),
    "chunked and identity": lines(CHUNKED, "Transfer-Encoding: identity", body=HELLO),
    "space before the colon": lines("Transfer-Encoding : chunked", body=HELLO),
    "vertical tab before the coding": lines("Transfer-Encoding: \x0bchunked", body=HELLO),
    "quoted coding": lines('Transfer-Encoding: "chunked"', body=HELLO),
    "chunked in HTTP/1.0": lines(CHUNKED, first=f"POST {CHAT} HTTP/1.0", body=HELLO),
    "length twice": lines("Content-Length: 5", "Content-Length: 5", body="hello"),
    "two lengths": lines("Content-Length: 5", "Content-Length: 6", body="hello!"),
    "list of lengths": lines("Content-Length: 5, 5", body="hello"),
    "length with a sign": lines("Content-Length: +5", body="hello"),
    "negative length": lines("Content-Length: -5", body="hello"),
    "hexadecimal length": lines("Content-Length: 0x5", body="hello"),
    "length with a space": lines("Content-Length: 5 5", body="hello"),
    "empty length": lines("Content-Length:", body="hello"),
    "length with a point": lines("Content-Length: 5.0", body="hello"),
    "length beyond 64 bits": lines("Content-Length: 99999999999999999999", body="hello"),
    "length beyond what passes": lines("Content-Length: 67108865", body="hello"),
    "bare LF in the header": lines("X: 1\nContent-Length: 5", body="hello"),
    "bare LF after the request line": lines(first=f"POST {CHAT} HTTP/1.1\nX: y"),
    "bare CR in a value": lines("X: 1\rContent-Length: 5", body="hello"),
    "folded header": lines("X: 1\r\n Content-Length: 5", body="hello"),
    "header folded by a tab": lines("X: 1\r\n\tTransfer-Encoding: chunked", body=HELLO),
    "NUL in a value": lines("X: a\0b"),
    "NUL in a name": lines("X\0Y: a"),
    "space in a name": lines("X Y: a"),
    "no colon": lines("X-Header"),
    "no name": lines(": a"),
    "space before the first header": f"GET {CHAT} HTTP/1.1\r\n {HOST}\r\n\r\n",
    "two hosts": lines(HOST),
    "two other hosts": lines("Host: evil.example"),
    "no host": lines(host=""),
    "empty host": lines(host="Host:"),
    "host with a user": lines(host="Host: evil@127.0.0.1:{port}"),
    "host with a path": lines(host="Host: 127.0.0.1:{port}/x"),
    "list of hosts": lines(host="Host: 127.0.0.1:{port}, evil.example"),
    "target of another origin": lines(first="GET http://evil.example/v1/models HTTP/1.1"),
    "target of our origin": lines(first="GET http://127.0.0.1:{port}/v1/models HTTP/1.1"),
    "tunnel": lines(first="CONNECT evil.example:443 HTTP/1.1"),
    "asterisk": lines(first="OPTIONS * HTTP/1.1"),
    "target without a slash": lines(first="GET v1/models HTTP/1.1"),
    "target with a space": lines(first="GET /v1/ models HTTP/1.1"),
    "target with a control character": lines(first="GET /v1/\x01models HTTP/1.1"),
    "target with a foreign byte": lines(first="GET /v1/\xe4 HTTP/1.1"),
    "unknown method": lines(first="EVIL / HTTP/1.1"),
    "method in small letters": lines(first="get / HTTP/1.1"),
    "no version": "GET /v1/models\r\n\r\n",
    "a version of its own": lines(first="GET /v1/models HTTP/9.9"),
    "another protocol": "SSH-2.0-OpenSSH_9.2\r\n\r\n",
    "the preface of HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a TLS hello": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + "\x00" * 64,
    "chunk size that is none": lines(CHUNKED, body="zz\r\nhello\r\n0\r\n\r\n"),
    "negative chunk size": lines(CHUNKED, body="-5\r\nhello\r\n0\r\n\r\n"),
    "chunk size beyond 64 bits": lines(CHUNKED, body="fffffffffffffffff\r\nhello\r\n0\r\n\r\n"),
    "chunk longer than its size": lines(CHUNKED, body="4\r\nhello\r\n0\r\n\r\n"),
    "bare LF after a chunk size": lines(CHUNKED, body="5\nhello\r\n0\r\n\r\n"),
    "header over 64 KiB": lines("X: " + "y" * 70_000),
    "many headers over 64 KiB": lines(*[f"X-{number}: y" for number in range(9_000)]),
    "endless name": lines("y" * 200_000),
    "endless target": lines(first=f"GET /{'y' * 70_000} HTTP/1.1"),
}

TAKEN = {
    "chunk extension": (lines(CHUNKED, "Connection: close", body="5;a=b\r\nhello\r\n0\r\n\r\n"), 1),
    "trailer": (lines(CHUNKED, "Connection: close", body="5\r\nhello\r\n0\r\nX: y\r\n\r\n"), 1),
    "large letters": (lines("Transfer-Encoding: CHUNKED", "Connection: close", body=HELLO), 1),
    "zeros before a size": (
        lines(CHUNKED, "Connection: close", body="0005\r\nhello\r\n0\r\n\r\n"),
        1,
    ),
    "empty line before": (
        "\r\n" + lines("Content-Length: 5", "Connection: close", body="hello"),
        1,
    ),
    "tabs around a value": (lines("Content-Length:\t5\t", "Connection: close", body="hello"), 1),
    "foreign bytes in a value": (
        lines("X: \xff\xfe", "Content-Length: 5", "Connection: close", body="hello"),
        1,
    ),
    "HTTP/1.0": (lines("Content-Length: 5", first=f"POST {CHAT} HTTP/1.0", body="hello"), 1),
    "two at once": (
        lines("Content-Length: 5", body="hello")
        + lines("Content-Length: 5", "Connection: close", body="hello"),
        2,
    ),
    "line break in a query": (
        lines(
            "Content-Length: 5",
            "Connection: close",
            first=f"POST {CHAT}?a=%0d%0aX:%20y HTTP/1.1",
            body="hello",
        ),
        1,
    ),
}


@pytest.fixture(scope="module")
def engine():
    with raw_engine() as running:
        yield running


@pytest.fixture(scope="module")
def proxy(engine, tmp_path_factory):
    with running_proxy(engine.url, tmp_path_factory.mktemp("proxy")) as running:
        yield running


def on_the_wire(text: str, port: int) -> bytes:
    return text.replace("{port}", str(port)).encode("latin-1")


def is_answered(proxy) -> bool:
    return httpx.post(proxy.url + CHAT, content=b"{}").content == USAGE


# --- framings ------------------------------------------------------------------------------------


def test_there_are_enough_framings():
    assert len(REFUSED) + len(TAKEN) >= 60


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_two_readings_reaches_no_engine(engine, proxy, name):
    before = len(engine.requests)
    said = exchange(proxy.port, on_the_wire(REFUSED[name], proxy.port), half_close=False)
    assert not said or said[:10] in (b"HTTP/1.1 4", b"HTTP/1.0 4")
    assert said.count(b"HTTP/1.1 2") == 0
    assert len(engine.requests) == before
    assert is_answered(proxy)


@pytest.mark.parametrize("name", TAKEN)
def test_what_has_one_reading_reaches_the_engine_once_and_framed_anew(engine, proxy, name):
    text, count = TAKEN[name]
    before = len(engine.requests)
    said = exchange(proxy.port, on_the_wire(text, proxy.port), half_close=False)
    assert said.count(b" 200 OK\r\n") == count
    asked = engine.requests[before:]
    assert [one.body for one in asked] == [b"hello"] * count
    for one in asked:
        assert one.all("content-length") == ["5"]
        assert one.all("transfer-encoding") == []


def test_a_body_that_stops_midway_reaches_no_engine(engine, proxy):
    before = len(engine.requests)
    exchange(proxy.port, on_the_wire(lines("Content-Length: 50", body="hello"), proxy.port))
    assert is_answered(proxy)
    assert [one.body for one in engine.requests[before:]] == [b"{}"]


@contextlib.contextmanager
def stock_server(**options):
    """What the proxy stands on, without our part: any request is answered and counted."""
    seen = []

    async def application(scope, receive, send) -> None:
        seen.append(scope["path"])
        headers = [(b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body"})

    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    config = uvicorn.Config(application, lifespan="off", log_level="critical", ws="none", **options)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        yield listener.getsockname()[1], seen
    finally:
        server.should_exit = True
        server.force_exit = True
        thread.join(30)


def test_control_the_other_parser_serves_the_smuggled_request():
    with stock_server(http="h11") as (port, seen):
        exchange(port, on_the_wire(REFUSED["length then chunked"], port))
    assert seen


@pytest.mark.parametrize("name", ["no host", "two other hosts", "target of another origin"])
def test_control_our_parser_alone_takes_what_we_refuse(name):
    with stock_server(http="httptools") as (port, seen):
        exchange(port, on_the_wire(REFUSED[name], port))
    assert seen


# --- slow peers ----------------------------------------------------------------------------------


def trickle(connections: list[socket.socket], text: str) -> None:
    """Send a byte on each connection in turn, again and again, until the other side closed all."""
    alive, place = set(connections), 0
    while alive:
        readable, _, _ = select.select(alive, [], [], 0.1)
        for connection in readable:
            with contextlib.suppress(ConnectionError):
                while connection.recv(4096):
                    pass
            alive.discard(connection)
        for connection in list(alive):
            with contextlib.suppress(ConnectionError):
                connection.sendall(text[place % len(text)].encode())
        place += 1


def good_request(client, proxy) -> float:
    start = time.perf_counter()
    assert client.post(proxy.url + CHAT, content=b"{}").content == USAGE
    return time.perf_counter() - start


def test_300_trickling_headers_are_dropped_and_nobody_else_waits(engine, tmp_path, monkeypatch):
    monkeypatch.setattr(LimitedProtocol, "header_seconds", 3.0)
    with contextlib.ExitStack() as stack:
        port, seen = stack.enter_context(stock_server(http="httptools"))
        control = [stack.enter_context(connect(port)) for _ in range(5)]
        proxy = stack.enter_context(running_proxy(engine.url, tmp_path))
        client = stack.enter_context(httpx.Client())
        quiet = statistics.median(good_request(client, proxy) for _ in range(50))
        attack = [stack.enter_context(connect(proxy.port)) for _ in range(300)]
        for one in control:
            one.sendall(b"POST / HTTP/1.1\r\nX-")
        over = threading.Thread(
            target=trickle, args=(attack, "POST / HTTP/1.1\r\nX-" + "a" * 10_000)
        )
        over.start()
        took = []
        while over.is_alive():
            took.append(good_request(client, proxy))
        over.join()
        assert len(took) > 3
        # 50 ms is what was promised; a machine that is busy with other work is slow without us.
        assert statistics.median(took) < max(0.05, 20 * quiet)
        print(f"{len(took)} good requests, median {statistics.median(took) * 1e3:.1f} ms")
        open_ones, _, _ = select.select(control, [], [], 0)
        assert open_ones == []  # the control keeps every one of them
        assert seen == []


def test_a_trickling_body_is_dropped_and_reaches_no_engine(engine, tmp_path, monkeypatch):
    monkeypatch.setattr(LimitedProtocol, "body_seconds", 1.0)
    before = len(engine.requests)
    with running_proxy(engine.url, tmp_path) as proxy:
        with connect(proxy.port) as slow:
            slow.sendall(on_the_wire(lines("Content-Length: 100000"), proxy.port))
            trickle([slow], "x")
        with connect(proxy.port) as silent:
            silent.sendall(on_the_wire(lines(CHUNKED, body="5\r\nhel"), proxy.port))
            assert read_all(silent) == b""
        assert is_answered(proxy)
    assert len(engine.requests) == before + 1


def test_a_long_answer_outlives_the_deadlines_of_requests(engine, tmp_path, monkeypatch):
    monkeypatch.setattr(LimitedProtocol, "header_seconds", 1.0)
    monkeypatch.setattr(LimitedProtocol, "body_seconds", 1.0)
    halves = threading.Event()

    def slowly(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
        halves.wait(2.0)  # longer than both deadlines
        connection.sendall(b"cd")

    engine.says(slowly)
    with running_proxy(engine.url, tmp_path) as proxy:
        assert httpx.post(proxy.url + CHAT, content=b"{}").content == b"abcd"


def test_the_deadlines_are_those_that_were_promised():
    assert (protocol.HEADER_SECONDS, protocol.BODY_SECONDS) == (10.0, 60.0)
    assert protocol.HEADER_BYTES == 64 * 1024
    assert LimitedProtocol.header_seconds == protocol.HEADER_SECONDS
    assert LimitedProtocol.body_seconds == protocol.BODY_SECONDS


@pytest.mark.parametrize("waits", [True, False], ids=["in its midst", "before it begins"])
def test_garbage_behind_a_request_does_not_land_in_its_answer(engine, tmp_path, *, waits):
    asked, go_on = threading.Event(), threading.Event()

    def slowly(connection: socket.socket) -> None:
        asked.set()
        if waits:
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
        go_on.wait(20)
        with contextlib.suppress(OSError):
            connection.sendall(b"cd")

    engine.says(slowly)
    with running_proxy(engine.url, tmp_path) as proxy, connect(proxy.port) as client:
        client.sendall(on_the_wire(lines("Content-Length: 2", body="{}"), proxy.port))
        assert asked.wait(20)
        said = b""
        while waits and not said.endswith(b"ab"):
            said += client.recv(1)
        client.sendall(b"\x00\x01 garbage \r\n\r\n")
        assert read_all(client) == b""
        go_on.set()
        assert is_answered(proxy)


# --- hostile engines -----------------------------------------------------------------------------


def test_an_engine_that_trickles_is_passed_on_byte_by_byte(engine, proxy):
    def slowly(connection: socket.socket) -> None:
        for byte in answer(b"0123456789"):
            connection.sendall(bytes([byte]))

    engine.says(slowly)
    assert httpx.post(proxy.url + CHAT, content=b"{}").content == b"0123456789"


def test_an_engine_that_says_more_than_it_was_asked_is_not_believed(engine, proxy):
    stolen = answer(b'{"for": "somebody else"}')
    engine.says(answer(b"1") + stolen)
    first = httpx.post(proxy.url + CHAT, content=b"{}")
    second = httpx.post(proxy.url + CHAT, content=b"{}")
    assert (first.status_code, first.content) == (200, b"1")
    assert (second.status_code, second.content) == (200, USAGE)


def test_an_engine_that_speaks_before_it_is_asked_is_not_believed(engine, proxy):
    sent = threading.Event()

    def speaks(connection: socket.socket) -> None:
        connection.sendall(answer(b"1"))
        connection.sendall(answer(b"2"))
        sent.set()
        while connection.recv(100):
            pass

    engine.says(speaks)
    assert httpx.post(proxy.url + CHAT, content=b"{}").content == b"1"
    assert sent.wait(20)
    assert httpx.post(proxy.url + CHAT, content=b"{}").content == USAGE


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 200_000,
        b'{"usage": {"prompt_tokens": ' + b"9" * 100_000 + b"}}",
        b'{"usage": {"prompt_tokens": "many", "prompt_tokens_details": [1]}}',
        b'{"usage": {"prompt_tokens": -5, "prompt_tokens_details": {"cached_tokens": 900}}}',
        b'{"model": "\\u0000\\u001b[31m", "usage": {"prompt_tokens": 1}}',
        b"\xff" * 1000,
        b"",
    ],
    ids=["deep", "huge number", "words", "impossible", "control characters", "bytes", "nothing"],
)
def test_counts_that_are_none_are_unmeasured_and_pass(engine, tmp_path, body):
    engine.says(answer(body))
    with running_proxy(engine.url, tmp_path) as proxy:
        got = httpx.post(f"{proxy.url}/o/ada{CHAT}", content=b'{"model": "m", "messages": []}')
        (call,) = proxy.calls
        page = httpx.get(f"{proxy.url}/metrics")
    assert got.content == body
    assert call.usage.cached_share is None
    assert page.status_code == 200
    assert "\x1b" not in repr(call.model) + page.text


def test_nothing_of_one_owner_reaches_another(engine, tmp_path):
    """Fifty clients at once: each gets its own answer, and each count stands for its own owner."""

    def own_model(asked) -> bytes:
        usage = {"prompt_tokens": int(json.loads(asked.body)["model"])}
        return answer(
            json.dumps({"model": json.loads(asked.body)["model"], "usage": usage}).encode()
        )

    def ask(number: int) -> None:
        body = json.dumps({"model": str(number), "messages": []}).encode()
        said[number] = httpx.post(f"{proxy.url}/o/{number}{CHAT}", content=body).json()["model"]

    said: dict[int, str] = {}
    with raw_engine() as own, running_proxy(own.url, tmp_path) as proxy:
        own.usual = own_model
        threads = [threading.Thread(target=ask, args=(number,)) for number in range(1, 51)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        counted = {(call.subject.owner, call.model, call.usage.input_total) for call in proxy.calls}
    assert said == {number: str(number) for number in range(1, 51)}
    assert counted == {(str(number), str(number), number) for number in range(1, 51)}


@pytest.mark.linux
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc: needs Linux")
def test_a_long_stream_passes_whole_and_memory_stays_flat(tmp_path):
    size, piece = 192 * 1024 * 1024, b"data: " + b"x" * 65_530

    def stream(connection: socket.socket) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
        connection.sendall(head + b"Content-Length: %d\r\n\r\n" % size)
        for _ in range(size // len(piece)):
            connection.sendall(piece)

    command = [sys.executable, "-m", "agentjournal.cli", "proxy", "--port", "0", "--json"]
    environment = {**os.environ, "AGENTJOURNAL_DATABASE": str(tmp_path / "log.db")}
    with raw_engine() as engine:
        engine.says(answer(), stream)
        with subprocess.Popen(
            [*command, "--upstream", engine.url], stdout=subprocess.PIPE, env=environment
        ) as process:
            url = json.loads(process.stdout.readline())["data"]["url"]
            httpx.post(url + CHAT, content=b"{}")
            before = peak_mib(process.pid)
            read, digest = 0, hashlib.sha256()
            with httpx.stream("POST", f"{url}/o/ada{CHAT}", content=b"{}") as got:
                for chunk in got.iter_raw():
                    read += len(chunk)
                    digest.update(chunk)
            after = peak_mib(process.pid)
            process.terminate()
            process.wait(30)
    sent = hashlib.sha256()
    for _ in range(size // len(piece)):
        sent.update(piece)
    assert (read, digest.digest()) == (size, sent.digest())
    assert after - before < 64


def peak_mib(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if "VmHWM" in line)


def test_more_connections_than_it_carries_are_told_so(engine, tmp_path, monkeypatch):
    monkeypatch.setattr("agentjournal.proxy.server.CONNECTIONS", 5)
    with contextlib.ExitStack() as stack:
        proxy = stack.enter_context(running_proxy(engine.url, tmp_path))
        for _ in range(8):
            stack.enter_context(connect(proxy.port))
        asked = on_the_wire(lines("Connection: close", first="GET / HTTP/1.1"), proxy.port)
        said = exchange(proxy.port, asked, half_close=False)
    assert said.startswith(b"HTTP/1.1 503")


# --- soak ----------------------------------------------------------------------------------------

SOAK_SECONDS = 300
HOSTILE_ANSWERS = [
    b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    b"\x00\xff no HTTP at all \r\n\r\n",
    answer(b"[" * 50_000),
    answer(b'{"usage": {"prompt_tokens": -5}}'),
    answer(b"{}", "Location: http://evil.example/", status="302 Found"),
    answer(b"1") + answer(b'{"for": "somebody else"}'),
]


@pytest.mark.faults
@pytest.mark.linux
@pytest.mark.timeout(SOAK_SECONDS + 120)
def test_five_minutes_of_hostile_peers_cost_honest_ones_nothing(tmp_path):
    """All framings and broken engines again and again, beside honest requests of another owner."""
    command = [sys.executable, "-m", "agentjournal.cli", "proxy", "--port", "0", "--json"]
    environment = {**os.environ, "AGENTJOURNAL_DATABASE": str(tmp_path / "log.db")}
    hostile = raw_engine()
    with hostile as engine, (tmp_path / "told").open("wb") as told:
        engine.usual = _own_answer
        with subprocess.Popen(
            [*command, "--upstream", engine.url],
            stdout=subprocess.PIPE,
            stderr=told,
            env=environment,
        ) as process:
            try:
                url = json.loads(process.stdout.readline())["data"]["url"]
                counts, took, peaks = _soak(url, engine, process.pid)
            finally:
                process.terminate()
                code = process.wait(30)
    key = b"sk-never-stored"
    kept = [path for path in tmp_path.rglob("*") if path.is_file() and key in path.read_bytes()]
    ordered = sorted(took)
    print(
        f"{counts}; honest: median {statistics.median(took) * 1e3:.1f} ms, "
        f"p99 {ordered[len(ordered) * 99 // 100] * 1e3:.0f} ms, most {ordered[-1] * 1e3:.0f} ms; "
        f"peak memory after each minute {[round(peak) for peak in peaks]} MiB"
    )
    assert code in (0, -15)
    assert kept == []
    assert statistics.median(took) < 0.05
    assert peaks[-1] - peaks[0] < 16


def _own_answer(asked) -> bytes:
    """Answer a hostile owner's request with one of the broken answers, all others as they should be."""
    if b"hostile" in asked.body:
        return HOSTILE_ANSWERS[int(asked.body.partition(b":")[2]) % len(HOSTILE_ANSWERS)]
    return answer(asked.body or b"{}")


def _soak(url: str, engine, pid: int) -> tuple[dict[str, int], list[float], list[float]]:
    port = int(url.rpartition(":")[2])
    counts = {"refused": 0, "taken": 0, "broken answers": 0, "honest": 0}
    over, took, peaks = threading.Event(), [], []

    def honest() -> None:
        key = {"Authorization": "Bearer sk-never-stored"}
        with httpx.Client(base_url=url, headers=key, timeout=30) as client:
            while not over.is_set():
                body = json.dumps({"model": "m", "n": counts["honest"], "messages": []}).encode()
                start = time.perf_counter()
                got = client.post(f"/o/honest{CHAT}", content=body)
                took.append(time.perf_counter() - start)
                faults.extend([got] if (got.status_code, got.content) != (200, body) else [])
                counts["honest"] += 1

    faults: list[object] = []
    beside = threading.Thread(target=honest)
    beside.start()
    end = time.monotonic() + SOAK_SECONDS
    minute = time.monotonic()
    try:
        while time.monotonic() < end:
            _one_round(port, url, engine, counts)
            if time.monotonic() > minute:
                minute += 60
                peaks.append(peak_mib(pid))
    finally:
        over.set()
        beside.join(60)
    assert faults == []
    peaks.append(peak_mib(pid))
    return counts, took, peaks


def _one_round(port: int, url: str, engine, counts: dict[str, int]) -> None:
    for text in REFUSED.values():
        said = exchange(port, on_the_wire(text, port), half_close=False)
        assert said.count(b"HTTP/1.1 2") == 0
        counts["refused"] += 1
    for text, count in TAKEN.values():
        said = exchange(port, on_the_wire(text, port), half_close=False)
        assert said.count(b" 200 OK\r\n") == count
        counts["taken"] += 1
    for number in range(len(HOSTILE_ANSWERS)):
        body = b"hostile:%d" % number
        exchange(port, post(port, f"/o/hostile{CHAT}", body))
        counts["broken answers"] += 1
    assert not any(
        b"evil" in one.target.encode() or "smuggled" in one.target for one in engine.requests
    )
    engine.requests.clear()
