"""An engine on loopback made of a socket: it answers the bytes that a test laid down, good or bad."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterator

    Answer = bytes | Callable[[socket.socket], None]

USAGE = (
    b'{"model":"m","usage":{"prompt_tokens":100,"completion_tokens":2,'
    b'"prompt_tokens_details":{"cached_tokens":64}}}'
)
GRACE = 20


def answer(
    body: bytes = USAGE, *headers: str, status: str = "200 OK", kind: str = "application/json"
) -> bytes:
    """Write an answer with its length."""
    lines = [
        f"HTTP/1.1 {status}",
        f"Content-Type: {kind}",
        f"Content-Length: {len(body)}",
        *headers,
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


@dataclass
class Request:
    """One request as it came over the wire."""

    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key == name]


@dataclass
class RawEngine:
    """Where it listens, what it will answer next (else a completion), and what it was asked."""

    url: str
    answers: deque[Answer] = field(default_factory=deque)
    requests: list[Request] = field(default_factory=list)
    left: threading.Event = field(default_factory=threading.Event)
    usual: Callable[[Request], bytes] = lambda _: answer()

    def says(self, *answers: Answer) -> None:
        self.answers.extend(answers)


def until_left(*parts: bytes) -> Callable[[socket.socket], None]:
    """Send the parts, then wait for the other side to go away."""

    def send(connection: socket.socket) -> None:
        for part in parts:
            connection.sendall(part)
        with contextlib.suppress(ConnectionError):
            while connection.recv(65536):
                pass

    return send


def cut(*parts: bytes) -> Callable[[socket.socket], None]:
    """Send the parts and hang up."""

    def send(connection: socket.socket) -> None:
        for part in parts:
            connection.sendall(part)
        connection.shutdown(socket.SHUT_RDWR)

    return send


@contextlib.contextmanager
def raw_engine(tls: ssl.SSLContext | None = None) -> Iterator[RawEngine]:
    """Run one until the block ends; with a context it speaks TLS."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    scheme = "https" if tls else "http"
    engine = RawEngine(f"{scheme}://127.0.0.1:{listener.getsockname()[1]}")
    open_ones: set[socket.socket] = set()
    threads = []

    def serve(connection: socket.socket) -> None:
        connection.settimeout(GRACE)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
            stack.enter_context(connection)
            if tls:
                connection = stack.enter_context(tls.wrap_socket(connection, server_side=True))
            file = stack.enter_context(connection.makefile("rb"))
            while request := _read(file):
                engine.requests.append(request)
                said = engine.answers.popleft() if engine.answers else engine.usual(request)
                if callable(said):
                    said(connection)
                    break
                connection.sendall(said)
        engine.left.set()

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                open_ones.add(connection)
                threads.append(threading.Thread(target=serve, args=(connection,), daemon=True))
                threads[-1].start()

    acceptor = threading.Thread(target=accept, daemon=True)
    acceptor.start()
    try:
        yield engine
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        acceptor.join(GRACE)
        for connection in list(open_ones):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join(GRACE)


def _read(file) -> Request | None:
    line = file.readline()
    if not line:
        return None
    method, target, _ = line.decode("latin-1").split(" ", 2)
    headers = []
    while (line := file.readline()) not in (b"\r\n", b""):
        name, _, value = line.decode("latin-1").partition(":")
        headers.append((name.lower(), value.strip()))
    size = next((int(value) for name, value in headers if name == "content-length"), 0)
    return Request(method, target, headers, file.read(size))
