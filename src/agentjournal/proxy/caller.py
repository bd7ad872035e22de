"""Who asks: named by header or path, by an attempt's token, or by the ids that agent programs send."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from agentjournal.orchestrator.base_url import Seat
from agentjournal.text.canonical import sha256_hex
from agentjournal.text.visible import one_line
from agentjournal.usage.subject import Subject

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.proxy.headers import Headers

__all__ = ["Caller", "caller_of"]

_PREFIX = b"/o/"
_NAME_BYTES = 200
_OFF = (b"", b"0", b"false", b"no", b"off")


@dataclass(frozen=True, kw_only=True)
class Caller:
    """Whom a request counts for, and the path that it asks the engine for.

    `announces` says that this request rewrites its owner's prompt on purpose: a consolidation.
    """

    subject: Subject
    path: bytes
    announces: bool = False


def caller_of(headers: Headers, path: bytes) -> Caller:
    """Read who asks: a header before the path, both before what a program says of itself."""
    found = dict(headers)
    segment, path = _split(path)
    own = _of_program(found)
    named = _text(found.get(b"x-agentjournal-owner", b"")) or _text(unquote_to_bytes(segment))
    token = found.get(b"x-agentjournal-attempt", b"").decode("latin-1").strip()
    subject = own
    if token:
        digest = sha256_hex(token)
        subject = replace(subject, owner=digest, attempt=digest)
    if seat := Seat.of_owner(segment.decode("latin-1")):
        subject = replace(subject, owner=seat.attempt, **seat._asdict())
    elif named:
        subject = replace(subject, owner=named)
    if subject.owner != own.owner and own.owner and subject.thread is None:
        subject = replace(subject, thread=own.owner)
    announced = found.get(b"x-agentjournal-consolidated", b"").strip().lower()
    return Caller(subject=subject, path=path, announces=announced not in _OFF)


def _split(path: bytes) -> tuple[bytes, bytes]:
    """Take `/o/NAME` off a path."""
    if not path.startswith(_PREFIX):
        return b"", path
    segment, slash, rest = path.removeprefix(_PREFIX).partition(b"/")
    return (segment, slash + rest) if segment and slash else (b"", path)


def _of_program(found: Mapping[bytes, bytes]) -> Subject:
    """Read the ids that Claude Code, Codex and opencode send with each request."""
    if session := _text(found.get(b"x-claude-code-session-id", b"")):
        thread = _text(found.get(b"x-claude-code-agent-id", b"")) or None
        return Subject(component="claude-code", owner=session, thread=thread)
    thread = _text(found.get(b"thread-id", b""))
    parent = _text(found.get(b"x-codex-parent-thread-id", b""))
    if session := _text(found.get(b"session-id", b"")) or parent or thread:
        return Subject(component="codex", owner=session, thread=thread or None)
    session = _text(found.get(b"x-session-id", b""))
    is_opencode = found.get(b"user-agent", b"").lower().startswith(b"opencode")
    return Subject(component="opencode" if is_opencode else "", owner=session or None)


def _text(value: bytes) -> str:
    """Give a name as one short visible line."""
    return one_line(value[:4096].decode("utf-8", "replace"), _NAME_BYTES)
