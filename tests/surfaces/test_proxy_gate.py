"""Who may speak to the proxy: programs of this machine, or whoever holds the token; never a web page."""

from __future__ import annotations

import json

import pytest

from agentjournal.errors import ConfigurationError, ConflictError
from agentjournal.proxy.gate import is_loopback
from agentjournal.proxy.serve import Options
from agentjournal.proxy.upstream import Upstream
from support.proxies import running_proxy
from support.raw_client import exchange
from support.raw_engine import raw_engine

TOKEN = "t0ken-of-16-or-more"  # noqa: S105 - an invented one


@pytest.fixture(scope="module")
def engine():
    with raw_engine() as running:
        yield running


@pytest.fixture(scope="module")
def proxy(engine, tmp_path_factory):
    with running_proxy(engine.url, tmp_path_factory.mktemp("proxy")) as running:
        yield running


@pytest.fixture(scope="module")
def guarded(engine, tmp_path_factory):
    folder = tmp_path_factory.mktemp("guarded")
    with running_proxy(engine.url, folder, names=("models.lan:8811",), token=TOKEN) as running:
        yield running


def ask(proxy, *headers: str, path: str = "/v1/models", method: str = "GET") -> tuple[int, dict]:
    lines = [f"{method} {path} HTTP/1.1", "Connection: close", *headers, "", ""]
    raw = exchange(proxy.port, "\r\n".join(lines).encode(), half_close=False)
    head, _, body = raw.partition(b"\r\n\r\n")
    is_json = b"application/json" in head and body
    return int(head.split(b" ")[1]), json.loads(body) if is_json else {}


PATHS = ["/v1/models", "/metrics"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_its_own_names_are_known(proxy, path, name):
    assert ask(proxy, f"Host: {name}:{proxy.port}", path=path)[0] == 200
    own = f"Origin: http://{name}:{proxy.port}"
    assert ask(proxy, f"Host: {name}:{proxy.port}", own, path=path)[0] == 200


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "name", ["evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil:{port}", ""]
)
def test_any_other_host_is_refused(engine, proxy, path, name):
    before = len(engine.requests)
    status, said = ask(proxy, "Host: " + name.format(port=proxy.port), path=path)
    assert (status, said["error"]["type"]) == (403, "permission_error")
    assert len(engine.requests) == before


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "header",
    [
        "Origin: http://evil.example",
        "Origin: null",
        "Origin: http://localhost:1",
        "Origin: http://127.0.0.1",
        "Origin: https://127.0.0.1:{port}",
        "Origin: http://127.0.0.1:{port}.evil.example",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
    ],
)
def test_a_web_page_is_refused_whatever_it_asks(engine, proxy, path, header):
    before = len(engine.requests)
    for method in ("GET", "POST", "OPTIONS"):
        host = f"Host: 127.0.0.1:{proxy.port}"
        status, _ = ask(proxy, host, header.format(port=proxy.port), path=path, method=method)
        assert status == 403
    assert len(engine.requests) == before


@pytest.mark.parametrize("path", PATHS)
def test_where_there_is_a_token_nobody_gets_in_without_it(engine, guarded, path):
    before = len(engine.requests)
    host = "Host: models.lan:8811"
    for wrong in ([], ["X-Agentjournal-Token: "], [f"X-Agentjournal-Token: {TOKEN}x"]):
        status, said = ask(guarded, host, *wrong, path=path)
        assert (status, said["error"]["type"]) == (401, "authentication_error")
    assert len(engine.requests) == before
    assert ask(guarded, host, f"X-Agentjournal-Token: {TOKEN}", path=path)[0] == 200
    if path != "/metrics":
        assert engine.requests[-1].all("x-agentjournal-token") == []


def test_a_token_in_the_url_opens_nothing(guarded):
    status, _ = ask(guarded, "Host: models.lan:8811", path=f"/v1/models?token={TOKEN}")
    assert status == 401


def test_a_token_beside_another_one_is_refused(guarded):
    twice = [f"X-Agentjournal-Token: {each}" for each in (TOKEN, "x")]
    assert ask(guarded, "Host: models.lan:8811", *twice)[0] == 400


def test_it_listens_for_others_only_with_a_token_and_by_name():
    upstream = Upstream.parse("http://127.0.0.1:1")
    with pytest.raises(ConfigurationError, match="loopback only"):
        Options(upstream=upstream, host="192.0.2.1")
    with pytest.raises(ConfigurationError, match="by which name"):
        Options(upstream=upstream, host="0.0.0.0", token=TOKEN)  # noqa: S104 - refused
    with pytest.raises(ConfigurationError, match="before itself"):
        Options(upstream=Upstream.parse("http://localhost:8811/v1"), port=8811)
    assert TOKEN not in repr(Options(upstream=upstream, token=TOKEN))


def test_an_address_or_port_that_cannot_be_had_is_said(engine, proxy, tmp_path):
    with (
        pytest.raises(ConflictError, match=f"Port {proxy.port}"),
        running_proxy(engine.url, tmp_path, port=proxy.port),
    ):
        pass
    with (
        pytest.raises(ConfigurationError, match="no address"),
        running_proxy(engine.url, tmp_path, host="127.0.0.999", token=TOKEN),
    ):
        pass


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("localhost", True)]
    + [(host, False) for host in ("0.0.0.0", "::", "10.0.0.1", "localhost.evil", "")],  # noqa: S104 - not bound
)
def test_loopback_is_known(host, expected):
    assert is_loopback(host) is expected


@pytest.mark.parametrize(
    "url",
    [
        "127.0.0.1:8000",
        "ftp://127.0.0.1",
        "http://",
        "http://user:pass@127.0.0.1",
        "http://127.0.0.1/?a=b",
        "http://127.0.0.1/#f",
        "http://127.0.0.1:99999",
        "http://bücher.example",
        "http://a b",
        "",
    ],
)
def test_an_engine_is_named_by_a_plain_url(url):
    with pytest.raises(ConfigurationError) as refused:
        Upstream.parse(url)
    assert "pass" not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "authority", "whole"),
    [
        ("http://h", "h", "http://h"),
        ("https://H:443/v1/", "h", "https://h/v1"),
        ("https://h:8443", "h:8443", "https://h:8443"),
        ("http://[::1]:9/x", "[::1]:9", "http://[::1]:9/x"),
    ],
)
def test_an_engines_url_is_read(url, authority, whole):
    upstream = Upstream.parse(url)
    assert (upstream.authority, upstream.url) == (authority, whole)


@pytest.mark.parametrize("name", ["", "Two Words", "X: y", "X\r\nY", "Host", "Cookie", "TE"])
def test_a_routing_header_that_would_reach_no_engine_is_refused_at_the_start(name):
    with pytest.raises(ConfigurationError, match="routing key"):
        Options(upstream=Upstream.parse("http://h"), routing_headers=("X-Session-Id", name))


def test_nothing_in_a_request_changes_whom_it_goes_to(engine, proxy):
    lines = [
        "GET //evil.example/v1/models?url=http://evil.example HTTP/1.1",
        f"Host: 127.0.0.1:{proxy.port}",
        "X-Forwarded-Host: evil.example",
        "X-Original-Url: http://evil.example/",
        "Connection: close",
        "",
        "",
    ]
    raw = exchange(proxy.port, "\r\n".join(lines).encode(), half_close=False)
    assert raw.startswith(b"HTTP/1.1 200")
    assert engine.requests[-1].target == "//evil.example/v1/models?url=http://evil.example"
    assert engine.requests[-1].all("host") == [engine.url.removeprefix("http://")]
