"""An endpoint that speaks chat completions on loopback and plays a script, one reply a request."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Reply:
    """What one request gets; `pieces` are written one by one until the client is gone."""

    status: int = 200
    text: str = ""
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    pieces: int = 0
    hangs_up: bool = False

    def data(self):
        if self.body is not None:
            return self.body
        return json.dumps({"choices": [{"message": {"content": self.text}}]}).encode()


@dataclass
class Endpoint:
    """Where the script is played, and what was asked."""

    url: str
    replies: list[Reply]
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


@contextmanager
def endpoint(*replies: Reply | str):
    """Serve the replies in turn, the last one again and again."""
    script = [Reply(text=reply) if isinstance(reply, str) else reply for reply in replies]
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        played = Endpoint(f"http://127.0.0.1:{server.server_port}/v1", script)
        server.played = played  # type: ignore[attr-defined]
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield played
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        played = self.server.played
        data = self.rfile.read(int(self.headers["Content-Length"]))
        played.asked.append({"path": self.path, **json.loads(data)})
        played.headers.append(dict(self.headers))
        reply = played.replies.pop(0) if len(played.replies) > 1 else played.replies[0]
        if reply.hangs_up:
            self.close_connection = True
            return
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.pieces:
            self._drip(reply)
            return
        self.send_header("Content-Length", str(len(reply.data())))
        self.end_headers()
        self.wfile.write(reply.data())

    def _drip(self, reply):
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            for _ in range(reply.pieces):
                self.wfile.write(reply.data())
                self.wfile.flush()
        except OSError:
            pass

    def log_message(self, *_):
        pass
