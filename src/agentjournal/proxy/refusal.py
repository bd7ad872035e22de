"""What the proxy answers itself: an error in the form of the API that was asked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentjournal.proxy.asgi import Send

__all__ = ["Refusal"]

_WORDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    408: "timeout_error",
    413: "request_too_large",
    502: "api_error",
    503: "overloaded_error",
    504: "timeout_error",
}


class Refusal(Exception):  # noqa: N818 - an answer, not a failure of ours
    """A request that gets no answer of the engine: the status, and one sentence for whoever asked."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message

    def body(self, path: bytes) -> bytes:
        """Give the JSON error, in the form that clients of this path's API read."""
        kind = _WORDS.get(self.status, "api_error")
        error: dict[str, object] = {"type": kind, "message": self.message}
        if path.rstrip(b"/").endswith((b"/messages", b"/count_tokens")):
            return _json({"type": "error", "error": error})
        if b":" in path.rpartition(b"/")[2]:  # Gemini's methods: models/NAME:generateContent
            error = {"code": self.status, "message": self.message, "status": kind.upper()}
            return _json({"error": error})
        if path.endswith((b"/converse", b"/converse-stream", b"/invoke")):
            return _json({"message": self.message})
        return _json({"error": error | {"param": None, "code": f"agentjournal_{kind}"}})

    async def answer(self, send: Send, path: bytes) -> None:
        """Send it, and close the connection: what of the request was not read is not waited for."""
        body = self.body(path)
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def _json(value: object) -> bytes:
    return json.dumps(value).encode()
