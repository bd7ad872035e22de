"""Reads the events of a stream that say something about usage, and keeps no other."""

from __future__ import annotations

import base64
import json
import re
import struct

from agentjournal.usage.count import inner
from agentjournal.usage.events import Folded

__all__ = ["EventFrames", "EventLines"]

_EVENT_BYTES = 16 * 1024 * 1024
# Escaped quotation marks inside a text cannot match: there a backslash stands before the second one.
_TELLING = re.compile(rb'"(?:usage|usageMetadata|timings|token_usage)"\s*:\s*\{')
_PRELUDE = 12
_CHECKSUM = 4


class EventLines:
    """Reads server-sent events, and JSON line by line; an event over 16 MiB is passed over."""

    def __init__(self) -> None:
        self.fold = Folded()
        self._line = bytearray()
        self._data = bytearray()
        self._is_overlong = False

    def feed(self, chunk: bytes) -> None:
        """Take in the next bytes."""
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            self._take(bytes(self._line + line))
            self._line.clear()
            self._is_overlong = False
        if len(self._line) + len(rest) > _EVENT_BYTES:
            self._line.clear()
            self._is_overlong = True
        elif not self._is_overlong:
            self._line += rest

    def finish(self) -> dict[str, object]:
        """Give the body of the whole stream; what stands without a last newline counts too."""
        self._take(bytes(self._line))
        self._line.clear()
        self._take(b"")
        return self.fold.body

    def _take(self, line: bytes) -> None:
        line = line.rstrip(b"\r")
        if line.startswith(b"data:"):
            if len(self._data) <= _EVENT_BYTES:
                self._data += line[5:] + b"\n"
        elif line.startswith(b"{"):
            self._read(line)
        elif not line and self._data:
            if len(self._data) <= _EVENT_BYTES:
                self._read(bytes(self._data))
            self._data.clear()

    def _read(self, event: bytes) -> None:
        if _TELLING.search(event):
            _take_json(self.fold, event)


class EventFrames:
    """Reads the binary event stream of Bedrock, and the events of other vendors inside it."""

    def __init__(self) -> None:
        self.fold = Folded()
        self._kept = bytearray()

    def feed(self, chunk: bytes) -> None:
        """Take in the next bytes."""
        self._kept += chunk
        while len(self._kept) >= _PRELUDE:
            length, headers = struct.unpack_from(">II", self._kept)
            if not _PRELUDE + headers + _CHECKSUM <= length <= _EVENT_BYTES:
                self._kept.clear()  # no frames: nothing can be told from here on
                return
            if len(self._kept) < length:
                return
            self._read(bytes(self._kept[_PRELUDE + headers : length - _CHECKSUM]))
            del self._kept[:length]

    def finish(self) -> dict[str, object]:
        """Give the body of the whole stream."""
        return self.fold.body

    def _read(self, payload: bytes) -> None:
        if payload.startswith(b'{"bytes"'):
            inside = json.loads(payload).get("bytes")
            payload = base64.b64decode(inside) if isinstance(inside, str) else b""
        if _TELLING.search(payload):
            _take_json(self.fold, payload)


def _take_json(fold: Folded, text: bytes) -> None:
    try:
        event = json.loads(text)
    except (ValueError, RecursionError):
        return
    fold.take(event)
    chunk_model = inner(event, "message").get("model")  # Anthropic names it in its first event only
    if isinstance(chunk_model, str):
        fold.body["model"] = chunk_model
