"""A model's API on loopback that answers what a test laid down, chunk by chunk."""

from __future__ import annotations

import contextlib
import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

JSON = "application/json"
EVENTS = "text/event-stream"


@dataclass
class Answer:
    """One answer: its chunks, and an event to wait for before each but the first."""

    chunks: Sequence[bytes]
    content_type: str = JSON
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    gate: threading.Event | None = None
    breaks_off: bool = False


@dataclass
class ModelServer:
    """Where it listens, what it will answer next, and what it was asked."""

    url: str
    answers: list[Answer] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    def says(self, *chunks: bytes, **how: Any) -> None:
        self.answers.append(Answer(chunks, **how))

    def says_json(self, value: object, **how: Any) -> None:
        self.says(json.dumps(value).encode(), **how)

    def says_events(self, *events: object, **how: Any) -> list[bytes]:
        """Answer a stream; an event with a type is named, as Anthropic and Responses do."""
        chunks = []
        for event in events:
            name = (
                f"event: {event['type']}\n" if isinstance(event, dict) and "type" in event else ""
            )
            text = event if isinstance(event, str) else json.dumps(event, ensure_ascii=False)
            chunks.append(f"{name}data: {text}\n\n".encode())
        self.says(*chunks, content_type=EVENTS, **how)
        return chunks


@contextlib.contextmanager
def model_server() -> Iterator[ModelServer]:
    """Run one until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            state.bodies.append(self.rfile.read(size))
            self._answer()

        def do_GET(self) -> None:
            self._answer()

        def _answer(self) -> None:
            state.paths.append(self.path)
            state.headers.append(dict(self.headers))
            answer = state.answers.pop(0)
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.content_type)
            self.send_header("Transfer-Encoding", "chunked")
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            for place, chunk in enumerate(answer.chunks):
                if place and answer.gate is not None and not answer.gate.wait(20):
                    break
                if place and answer.gate is not None:
                    answer.gate.clear()
                self.wfile.write(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
                self.wfile.flush()
            if answer.breaks_off:
                self.close_connection = True
            else:
                self.wfile.write(b"0\r\n\r\n")

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state = ModelServer(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
