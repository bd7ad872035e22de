"""Which headers pass: all but those of one hop, those that name somebody else, and our own."""

from __future__ import annotations

import re

__all__ = ["OWN", "Headers", "for_client", "for_engine", "passes"]

Headers = list[tuple[bytes, bytes]]

OWN = b"x-agentjournal-"
_OF_ONE_HOP = {
    b"connection",
    b"expect",
    b"keep-alive",
    b"proxy-authenticate",
    b"proxy-authorization",
    b"proxy-connection",
    b"te",
    b"trailer",
    b"transfer-encoding",
    b"upgrade",
}
_PRIVATE = {b"cookie", b"cookie2", b"forwarded", b"via", b"x-real-ip"}
_PRIVATE_PREFIXES = (OWN, b"x-forwarded-")
_FRAMING = {b"host", b"content-length"}
_BODILESS = (204, 304)
_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")


def for_engine(headers: Headers, host: str, length: int | None) -> Headers:
    """Give a request's headers for the engine; host and framing are written anew.

    `length` is that of the body, None where the request has none.
    """
    dropped = _OF_ONE_HOP | _PRIVATE | _FRAMING | _named(headers)
    passed = [
        (name, value)
        for name, value in headers
        if name not in dropped and not name.startswith(_PRIVATE_PREFIXES)
    ]
    framing = [] if length is None else [(b"content-length", str(length).encode())]
    return [(b"host", host.encode()), *passed, *framing]


def passes(name: str) -> bool:
    """Say whether this is a header's name, and of one that reaches the engine."""
    return bool(_NAME.fullmatch(name) and for_engine([(name.lower().encode(), b"")], "", None)[1:])


def for_client(headers: Headers, status: int) -> Headers:
    """Give an answer's headers for the client; its length only where that is how its body ends."""
    dropped = _OF_ONE_HOP | _named(headers)
    if status in _BODILESS or any(name == b"transfer-encoding" for name, _ in headers):
        dropped |= {b"content-length"}
    return [(name, value) for name, value in headers if name not in dropped]


def _named(headers: Headers) -> set[bytes]:
    """Give the headers that `Connection` names as those of this hop."""
    return {
        token.strip().lower()
        for name, value in headers
        if name == b"connection"
        for token in value.split(b",")
    }
