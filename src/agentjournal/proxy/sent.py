"""Reads what a client sent, for our own look at it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import islice

from agentjournal.usage.wire.decoding import Unreadable, decoder_of

__all__ = ["WATCHED_BYTES", "model_of", "parsed"]

WATCHED_BYTES = 16 * 1024 * 1024
_PIECES = 17  # of 1 MiB: what unpacks to more is not read
_IN_PATH = re.compile(r"/models?/([^/]{1,200}?)(?::\w+)?(?:/(?:converse|invoke)[a-z-]*)?$")


def parsed(body: bytes, encoding: str) -> Mapping[str, object] | None:
    """Give the object that a body holds; None where it holds none, or cannot be read."""
    try:
        if encoding:
            body = b"".join(islice(decoder_of(encoding)(body), _PIECES))
        value = json.loads(body)
    except (Unreadable, ValueError, RecursionError):
        return None
    return value if isinstance(value, Mapping) else None


def model_of(path: bytes) -> str:
    """Read the model out of a path that names it, as Gemini's and Bedrock's do."""
    found = _IN_PATH.search(path.decode("latin-1"))
    return found.group(1) if found else ""
