"""The proxy as a pipe: what goes in at one end comes out at the other, byte for byte, at once."""

from __future__ import annotations

import gzip
import json
import socket
import ssl
import threading
from pathlib import Path

import httpx
import pytest

from support.model_server import model_server
from support.proxies import running_proxy
from support.raw_client import connect, exchange, post, read_all
from support.raw_engine import USAGE, answer, cut, raw_engine, until_left

CHAT = "/v1/chat/completions"
CERTIFICATE = Path(__file__).parents[1] / "data" / "proxy" / "localhost.pem"


@pytest.fixture
def engine():
    with raw_engine() as running:
        yield running


@pytest.fixture
def proxy(engine, tmp_path):
    with running_proxy(engine.url, tmp_path) as running:
        yield running


def body_of(raw: bytes) -> bytes:
    return raw.partition(b"\r\n\r\n")[2]


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_any_method_and_path_passes_with_its_query(engine, proxy, method):
    engine.says(answer(b"said", status="418 I'm a teapot", kind="text/plain"))
    got = httpx.request(method, f"{proxy.url}/any/pa%2Fth//here;x=1?a=b&c=%20d")
    assert (got.status_code, got.content) == (418, b"said")
    assert [(one.method, one.target) for one in engine.requests] == [
        (method, "/any/pa%2Fth//here;x=1?a=b&c=%20d")
    ]


def test_an_answer_to_head_has_a_length_and_no_body(engine, proxy):
    engine.says(b"HTTP/1.1 200 OK\r\nContent-Length: 12345\r\n\r\n")
    got = httpx.head(f"{proxy.url}/v1/models")
    assert (got.status_code, got.headers["content-length"], got.content) == (200, "12345", b"")
    assert httpx.get(f"{proxy.url}/v1/models").content == USAGE


@pytest.mark.parametrize("status", ["204 No Content", "304 Not Modified"])
def test_answers_without_a_body_pass(engine, proxy, status):
    engine.says(f'HTTP/1.1 {status}\r\nETag: "x"\r\n\r\n'.encode())
    got = httpx.get(f"{proxy.url}/v1/models")
    assert (got.status_code, got.headers["etag"], got.content) == (int(status[:3]), '"x"', b"")


def test_an_announcement_before_an_answer_is_not_the_answer(engine, proxy):
    engine.says(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + answer(b"{}"))
    got = httpx.get(f"{proxy.url}/v1/models")
    assert (got.status_code, got.content) == (200, b"{}")
    assert "link" not in got.headers


def test_headers_pass_but_for_those_of_one_hop_and_those_that_name_others(engine, proxy):
    engine.says(
        answer(
            b"{}",
            "X-Request-Id: r1",
            "Set-Cookie: a=1",
            "Set-Cookie: b=2",
            "Keep-Alive: timeout=9",
            "X-Private: p",
            "Connection: keep-alive, x-private",
        )
    )
    got = httpx.post(
        proxy.url + CHAT,
        content=b"{}",
        headers=[
            ("Authorization", "Bearer secret"),
            ("Anthropic-Beta", "one"),
            ("Anthropic-Beta", "two"),
            ("Cookie", "c=1"),
            ("Forwarded", "for=10.0.0.1"),
            ("X-Forwarded-For", "10.0.0.1"),
            ("Via", "1.1 other"),
            ("X-Agentjournal-Owner", "ada"),
            ("X-Agentjournal-Token", "t"),
            ("X-Hop", "h"),
            ("TE", "trailers"),
            ("Connection", "keep-alive, x-hop"),
        ],
    )
    (asked,) = engine.requests
    assert asked.all("authorization") == ["Bearer secret"]
    assert asked.all("anthropic-beta") == ["one", "two"]
    assert asked.all("host") == [engine.url.removeprefix("http://")]
    names = {name for name, _ in asked.headers}
    assert not names & {
        "cookie",
        "forwarded",
        "x-forwarded-for",
        "via",
        "x-hop",
        "te",
        "connection",
    }
    assert not [name for name in names if name.startswith("x-agentjournal")]
    assert got.headers["x-request-id"] == "r1"
    assert got.headers.get_list("set-cookie") == ["a=1", "b=2"]
    assert not {"keep-alive", "x-private", "server", "date"} & set(got.headers)


def test_an_engines_cookie_is_for_the_client_that_got_it_and_nobody_else(engine, proxy):
    engine.says(answer(b"{}", "Set-Cookie: session=ada; Path=/"), answer(b"{}"))
    httpx.get(f"{proxy.url}/o/ada/v1/models")
    httpx.get(f"{proxy.url}/o/bob/v1/models")
    assert engine.requests[1].all("cookie") == []


def test_a_redirect_is_passed_on_and_not_followed(engine, proxy):
    engine.says(answer(b"", "Location: http://127.0.0.1:1/stolen", status="307 Temporary Redirect"))
    got = httpx.post(proxy.url + CHAT, content=b"{}", headers={"Authorization": "Bearer k"})
    assert (got.status_code, got.headers["location"]) == (307, "http://127.0.0.1:1/stolen")
    assert len(engine.requests) == 1


def test_a_large_oddly_spaced_body_arrives_as_it_was_sent(engine, proxy):
    words = "größe 大きさ \U0001f600 \\u00e9 " * 900
    spaced = {"model": "m", "messages": [{"role": "user", "content": words}] * 4}
    body = ("  \n" + json.dumps(spaced, ensure_ascii=False, indent=7) + "\n\n \t").encode()
    assert len(body) > 100_000
    httpx.post(f"{proxy.url}/o/ada{CHAT}", content=body)
    assert engine.requests[0].body == body


def test_a_body_in_chunks_arrives_whole_with_its_length(engine, proxy):
    parts = [b'{"mod', b'el": "m", ', b'"messages": []}']
    httpx.post(proxy.url + CHAT, content=iter(parts))
    (asked,) = engine.requests
    assert asked.body == b"".join(parts)
    assert asked.all("content-length") == [str(len(asked.body))]
    assert asked.all("transfer-encoding") == []


def test_what_trails_a_body_becomes_no_header(engine, proxy):
    lines = [
        f"POST {CHAT} HTTP/1.1",
        f"Host: 127.0.0.1:{proxy.port}",
        "Connection: close",
        "Transfer-Encoding: chunked",
        "",
        "2",
        "{}",
        "0",
        "Authorization: Bearer another",
        "",
        "",
    ]
    trailed = (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Late: 1\r\n\r\n"
    )
    engine.says(trailed)
    got = exchange(proxy.port, "\r\n".join(lines).encode(), half_close=False)
    assert b"x-late" not in got.lower()
    assert b"{}" in body_of(got)
    (asked,) = engine.requests
    assert (asked.body, asked.all("authorization")) == (b"{}", [])


def test_64_mib_pass_and_a_byte_more_does_not(engine, proxy):
    most = b"x" * (64 * 1024 * 1024)
    assert httpx.post(f"{proxy.url}/v1/files", content=most, timeout=60).status_code == 200
    assert engine.requests[0].body == most
    head = f"POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1:{proxy.port}\r\n"
    refused = exchange(proxy.port, f"{head}Content-Length: {len(most) + 1}\r\n\r\n".encode())
    assert refused.startswith(b"HTTP/1.1 413")
    assert json.loads(body_of(refused))["error"]["type"] == "request_too_large"
    assert len(engine.requests) == 1


def test_events_pass_one_by_one_as_they_come(tmp_path):
    gate = threading.Event()
    with model_server() as model, running_proxy(model.url, tmp_path) as proxy:
        chunks = model.says_events({"choices": [{"delta": {}}]}, {"usage": {}}, "[DONE]", gate=gate)
        with httpx.stream("POST", proxy.url + CHAT, content=b"{}") as got:
            stream = got.iter_raw()
            for chunk in chunks:  # each comes while the engine still waits to send the next
                assert next(stream) == chunk
                gate.set()
            assert list(stream) == []
        assert got.headers["content-type"] == "text/event-stream"


def test_a_packed_answer_passes_packed(engine, proxy):
    packed = gzip.compress(USAGE)
    engine.says(answer(packed, "Content-Encoding: gzip"))
    with httpx.stream("POST", f"{proxy.url}/o/ada{CHAT}", content=b"{}") as got:
        assert b"".join(got.iter_raw()) == packed
    assert proxy.calls[0].usage.cache_read == 64


def test_an_answer_that_ends_with_its_connection_passes_whole(engine, proxy):
    engine.says(cut(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + USAGE))
    assert httpx.post(f"{proxy.url}/o/ada{CHAT}", content=b"{}").content == USAGE


@pytest.mark.parametrize("status", ["400 Bad Request", "429 Too Many Requests", "529 Overloaded"])
def test_an_engines_error_passes_as_it_came_and_is_no_completion(engine, proxy, status):
    engine.says(answer(b'{"error": {"message": "no"}}', "Retry-After: 7", status=status))
    got = httpx.post(f"{proxy.url}/o/ada{CHAT}", content=b"{}")
    assert (got.status_code, got.content) == (int(status[:3]), b'{"error": {"message": "no"}}')
    assert got.headers["retry-after"] == "7"
    assert proxy.calls == []


def test_a_client_that_leaves_ends_the_engines_work(engine, proxy):
    event = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {}\n\n"
    engine.says(until_left(event))
    with connect(proxy.port) as client:
        client.sendall(post(proxy.port, CHAT, b"{}"))
        assert b"data: {}" in client.recv(65536) + client.recv(65536)
    assert engine.left.wait(20)


def test_a_client_that_leaves_before_the_answer_ends_the_engines_work(engine, proxy):
    asked = threading.Event()

    def think(connection: socket.socket) -> None:
        asked.set()
        until_left()(connection)

    engine.says(think)
    with connect(proxy.port) as client:
        client.sendall(post(proxy.port, CHAT, b"{}"))
        assert asked.wait(20)
    assert engine.left.wait(20)


@pytest.mark.parametrize(
    "start",
    [
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello",
    ],
)
def test_an_answer_that_breaks_off_is_no_whole_answer_at_the_client_either(engine, proxy, start):
    engine.says(cut(start))
    raw = exchange(proxy.port, post(proxy.port, f"/o/ada{CHAT}", b"{}"), half_close=False)
    assert b"hello" in raw
    assert not raw.endswith(b"0\r\n\r\n")
    engine.says(cut(start))
    with pytest.raises(httpx.RemoteProtocolError):
        httpx.post(f"{proxy.url}/o/ada{CHAT}", content=b"{}")
    assert [call.usage.is_reported for call in proxy.calls] == [False, False]


@pytest.mark.parametrize(
    ("path", "message_at"),
    [
        (CHAT, ("error", "message")),
        ("/v1/responses", ("error", "message")),
        ("/v1/messages", ("error", "message")),
        ("/v1beta/models/gemini-3:generateContent", ("error", "message")),
        ("/model/claude/converse", ("message",)),
    ],
)
def test_an_engine_that_is_down_is_told_in_the_form_of_its_api(tmp_path, path, message_at):
    with running_proxy("http://127.0.0.1:1/v1", tmp_path) as proxy:
        got = httpx.post(proxy.url + path, content=b"{}")
        found = got.json()
        for name in message_at:
            found = found[name]
    assert got.status_code == 502
    assert found == "The engine at http://127.0.0.1:1/v1 cannot be reached."
    assert (got.json().get("type") == "error") is (path == "/v1/messages")


@pytest.mark.parametrize(
    "garbage",
    [
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nX: " + b"y" * 70_000,
        b"",
    ],
    ids=["another protocol", "no status", "upgrade", "two lengths", "endless header", "nothing"],
)
def test_what_cannot_be_read_is_a_bad_gateway(engine, proxy, garbage):
    engine.says(cut(garbage))
    assert httpx.post(proxy.url + CHAT, content=b"{}").status_code == 502
    assert httpx.post(proxy.url + CHAT, content=b"{}").status_code == 200


def test_an_answer_before_the_request_was_sent_leaves_no_connection_behind(tmp_path):
    """The engine refuses a large body unread; what is left of it must not precede the next request."""

    large = b"x" * (32 * 1024 * 1024)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        seen: list[bytes] = []

        def serve() -> None:
            first, _ = listener.accept()
            with first:
                seen.append(first.recv(20))
                first.sendall(answer(b"too large", status="413 Content Too Large"))
                second, _ = listener.accept()
                with second:
                    seen.append(second.recv(20))
                    second.sendall(answer(b"{}"))

        threading.Thread(target=serve, daemon=True).start()
        with running_proxy(url, tmp_path) as own:
            assert httpx.post(own.url + CHAT, content=large, timeout=30).status_code == 413
            assert httpx.get(f"{own.url}/v1/models", timeout=30).content == b"{}"
    assert seen == [f"POST {CHAT}"[:20].encode(), b"GET /v1/models HTTP/"]


def test_nothing_is_sent_twice_when_a_connection_breaks_off(engine, proxy):
    engine.says(answer(b"{}"), cut())
    assert httpx.post(proxy.url + CHAT, content=b"1").status_code == 200
    assert httpx.post(proxy.url + CHAT, content=b"2").status_code == 502
    assert [one.body for one in engine.requests] == [b"1", b"2"]


def test_a_client_that_does_not_read_holds_up_the_engine_and_no_memory(engine, proxy):
    sent = []

    def flood(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
        connection.settimeout(2)
        try:
            for _ in range(100):
                connection.sendall(b"x" * 1_000_000)
                sent.append(1)
        except TimeoutError:
            connection.settimeout(20)
            connection.shutdown(socket.SHUT_RDWR)

    engine.says(flood)
    with connect(proxy.port) as client:
        client.sendall(post(proxy.port, CHAT, b"{}"))
        assert engine.left.wait(20)
        assert len(sent) < 40
        assert len(read_all(client)) < 40_000_000


def test_a_base_url_with_a_version_is_reached_with_and_without_it(engine, tmp_path):
    with running_proxy(engine.url + "/api/v1/", tmp_path) as proxy:
        httpx.post(f"{proxy.url}/o/ada/v1/chat/completions", content=b"{}")
        httpx.post(f"{proxy.url}/chat/completions", content=b"{}")
    assert [one.target for one in engine.requests] == ["/api/v1/chat/completions"] * 2


@pytest.fixture
def secured():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    with raw_engine(context) as running:
        yield running


def test_an_engine_behind_tls_is_reached_where_its_certificate_is_trusted(
    secured, tmp_path, monkeypatch
):
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    with running_proxy(secured.url, tmp_path) as proxy:
        for _ in range(2):
            assert httpx.post(f"{proxy.url}/o/ada{CHAT}", content=b"{}").content == USAGE
    assert secured.requests[0].all("host") == [secured.url.removeprefix("https://")]


def test_an_engine_whose_certificate_nobody_trusts_is_not_asked(secured, tmp_path):
    with running_proxy(secured.url, tmp_path) as proxy:
        got = httpx.post(proxy.url + CHAT, content=b"{}", headers={"Authorization": "Bearer k"})
    assert got.status_code == 502
    assert "no certificate that is trusted" in got.json()["error"]["message"]
    assert secured.requests == []


def test_a_running_answer_has_time_to_end_when_the_proxy_stops(engine, tmp_path):
    started, go_on = threading.Event(), threading.Event()

    def slowly(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
        started.set()
        go_on.wait(20)
        connection.sendall(b"cd")

    engine.says(slowly)
    got = []
    with running_proxy(engine.url, tmp_path) as proxy:
        reader = threading.Thread(
            target=lambda: got.append(httpx.post(proxy.url + CHAT, content=b"{}").content)
        )
        reader.start()
        assert started.wait(20)
        proxy.proxy.stop()
        go_on.set()
        reader.join(20)
    assert got == [b"abcd"]
