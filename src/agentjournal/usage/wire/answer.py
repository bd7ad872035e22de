"""Reads the usage of one answer while its bytes pass."""

from __future__ import annotations

import json
from typing import Protocol

from agentjournal.usage.guard import guarded
from agentjournal.usage.normalise import normalise
from agentjournal.usage.record import Usage
from agentjournal.usage.wire.decoding import Unreadable, decoder_of
from agentjournal.usage.wire.members import MemberPicker
from agentjournal.usage.wire.streams import EventFrames, EventLines

__all__ = ["AnswerReader", "is_completion"]

_WANTED = (
    b"model",
    b"modelVersion",
    b"object",
    b"type",
    b"usage",
    b"usageMetadata",
    b"timings",
    b"token_usage",
    b"tokens_evaluated",
    b"tokens_predicted",
)
_UNPACKED_BYTES = 64 * 1024 * 1024
_ENDINGS = (
    "/completions",
    "/completion",
    "/messages",
    "/responses",
    ":generateContent",
    ":streamGenerateContent",
    ":rawPredict",
    ":streamRawPredict",
    "/converse",
    "/converse-stream",
    "/invoke",
    "/invoke-with-response-stream",
)


def is_completion(method: str, path: str) -> bool:
    """Say whether a request asks for a completion, by how its path ends."""
    return method.upper() == "POST" and path.rstrip("/").endswith(_ENDINGS)


class Body(Protocol):
    """Takes bytes and gives what they say about usage."""

    def feed(self, chunk: bytes) -> None:
        """Take in the next bytes."""
        ...

    def finish(self) -> dict[str, object]:
        """Give the members that matter."""
        ...


class AnswerReader:
    """Takes an answer's bytes as they come over the wire; memory stays bounded; it never raises.

    A packed answer that unpacks to more than 64 MiB is no longer looked at: it counts as unmeasured.
    """

    def __init__(self, content_type: str = "", content_encoding: str = "") -> None:
        self._body: Body | None = None
        self._decode = None
        self._is_packed = bool(content_encoding.strip())
        self._room = _UNPACKED_BYTES
        with guarded():
            self._decode = decoder_of(content_encoding)
            self._body = _body_of(content_type)

    def feed(self, chunk: bytes) -> None:
        """Take in the next bytes, whatever they are."""
        if self._body is None or self._decode is None:
            return
        try:
            for piece in self._decode(chunk):
                self._room -= len(piece) if self._is_packed else 0
                if self._room < 0:
                    raise Unreadable  # noqa: TRY301 - told like any other
                self._body.feed(piece)
        except Unreadable:
            self._body = None
        except Exception:
            self._body = None
            with guarded():
                raise

    def finish(self) -> Usage:
        """Give the usage; nothing measured where the answer cannot be read."""
        with guarded():
            if self._body is not None:
                return normalise(self._body.finish())
        return Usage()


class _Document:
    """A whole JSON answer."""

    def __init__(self) -> None:
        self._picker = MemberPicker(_WANTED)

    def feed(self, chunk: bytes) -> None:
        self._picker.feed(chunk)

    def finish(self) -> dict[str, object]:
        return {name.decode(): json.loads(text) for name, text in self._picker.found.items()}


def _body_of(content_type: str) -> Body:
    kind = content_type.partition(";")[0].strip().lower()
    if kind == "application/vnd.amazon.eventstream":
        return EventFrames()
    if kind in {"text/event-stream", "application/x-ndjson", "application/jsonl"}:
        return EventLines()
    return _Document()
