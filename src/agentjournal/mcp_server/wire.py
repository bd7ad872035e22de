"""What a line on the wire is before any protocol: a message, nothing, or a refusal with its frame."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["INVALID_REQUEST", "PARSE_ERROR", "Message", "Refusal", "admitted", "in_ascii"]

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
DEPTH = 64  # levels of a message; what reads it next gives up at 200 without an answer
_UNPAIRED = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Message:
    """A line that may go on, the id it wants an answer for, and the one it no longer wants."""

    text: str
    id: str | int | None = None
    gives_up: str | int | None = None


@dataclass(frozen=True)
class Refusal:
    """The frame that answers a line which is no message."""

    frame: str


def admitted(line: bytes) -> Message | Refusal | None:
    """Judge a line; None is one that is passed over: blank, or wrong in a way that nobody waits for."""
    if not line.strip():
        return None
    try:
        value = json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        return _refusal(None, PARSE_ERROR, f"parse error: {_told(error)}")
    if _is_deep(value):
        return _refusal(None, PARSE_ERROR, f"parse error: {_told(RecursionError())}")
    if not isinstance(value, dict):
        return _refusal(None, INVALID_REQUEST, "invalid request: expected a JSON object")
    if _UNPAIRED.search(json.dumps(value, ensure_ascii=False)):
        message = "invalid request: a string holds an unpaired surrogate"
        return _refusal(None, INVALID_REQUEST, message)
    return _envelope(value)


def in_ascii(frame: str) -> bytes:
    """Write a frame of JSON with nothing but ASCII in it."""
    return re.sub(r"[^\x00-\x7f]", _escaped, frame).encode("ascii")


def _envelope(value: dict[str, object]) -> Message | Refusal | None:
    awaited = "id" in value
    id_ = value.get("id")
    if awaited and (isinstance(id_, bool) or not isinstance(id_, str | int)):
        message = "invalid request: 'id' must be a string or an integer"
        return _refusal(None, INVALID_REQUEST, message)
    known = id_ if isinstance(id_, str | int) else None
    if value.get("jsonrpc") != "2.0":
        return (
            _refusal(known, INVALID_REQUEST, "invalid request: 'jsonrpc' must be \"2.0\"")
            if awaited
            else None
        )
    if not isinstance(value.get("method"), str):
        return (
            _refusal(known, INVALID_REQUEST, "invalid request: missing 'method'")
            if awaited
            else None
        )
    params = value.get("params", {})
    if not isinstance(params, dict):
        params, value = {}, {**value, "params": {}}
    gives_up = params.get("requestId") if value["method"] == "notifications/cancelled" else None
    return Message(json.dumps(value), known, gives_up if isinstance(gives_up, str | int) else None)


def _refusal(id_: str | int | None, code: int, message: str) -> Refusal:
    error = {"code": code, "message": message}
    return Refusal(json.dumps({"jsonrpc": "2.0", "id": id_, "error": error}))


def _is_deep(value: object) -> bool:
    """Say whether there is more than `DEPTH` levels of it, looked at level by level."""
    level = [value]
    for _ in range(DEPTH):
        level = [inner for each in level for inner in _inside(each)]
    return any(map(_inside, level))


def _inside(value: object) -> Collection[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _told(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def _escaped(found: re.Match[str]) -> str:
    return json.dumps(found.group())[1:-1]
