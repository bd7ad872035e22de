"""Sets what pins an owner to one replica, where the client sent nothing of the kind."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.journal.routing import BODY_KEYS, HEADERS, routing

if TYPE_CHECKING:
    from agentjournal.proxy.headers import Headers

__all__ = ["Routes"]

_OBJECT = re.compile(rb'\s*\{(?=\s*")')


@dataclass(frozen=True, kw_only=True)
class Routes:
    """Under which names the key is sent: headers, and one key of the body only where it is named."""

    headers: tuple[str, ...] = HEADERS
    body_key: str | None = None

    def add(self, owner: str | None, headers: Headers, body: bytes) -> tuple[Headers, bytes]:
        """Give the headers to add, and the body: as it came, but for the key that was named."""
        if not owner or self._is_set(headers, body):
            return [], body
        keys = routing(owner, body_keys=(), headers=self.headers).headers
        added = [(name.lower().encode(), key.encode()) for name, key in keys.items()]
        return added, self._with_key(owner, headers, body)

    def _is_set(self, headers: Headers, body: bytes) -> bool:
        own = {name.lower().encode() for name in self.headers}
        keys = {*BODY_KEYS, *filter(None, [self.body_key])}
        return any(name in own for name, _ in headers) or any(
            json.dumps(key).encode() in body for key in keys
        )

    def _with_key(self, owner: str, headers: Headers, body: bytes) -> bytes:
        """Put the key first into the body's object; every other byte stays."""
        found = _OBJECT.match(body)
        is_plain = all(name != b"content-encoding" for name, _ in headers)
        if self.body_key is None or found is None or not is_plain:
            return body
        keys = routing(owner, body_keys=(self.body_key,), headers=()).body
        member = json.dumps(dict(keys))[1:-1].encode() + b","
        return body[: found.end()] + member + body[found.end() :]
