"""What pins an owner to one replica, so that its deep prefix is looked up where it lies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agentjournal.journal.wire import repair, trim
from agentjournal.text.canonical import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BODY_KEYS = ("prompt_cache_key",)
HEADERS = ("X-Flexinfer-Cache-Key", "X-Session-Id")
_LONGEST = 64


@dataclass(frozen=True)
class Routing:
    """The same key as fields of the request body and as headers: merge what the engine reads."""

    body: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


def routing(
    owner: str, *, body_keys: Sequence[str] = BODY_KEYS, headers: Sequence[str] = HEADERS
) -> Routing:
    """Give an owner's routing key under each name: the same for every turn, none for a blank owner.

    A name of more than 64 characters, or with others than visible ASCII, goes as its SHA-256.

    >>> from agentjournal import routing
    >>> routing("planner").body
    {'prompt_cache_key': 'planner'}
    """
    name = trim(repair(owner))
    if not name:
        return Routing()
    is_plain = len(name) <= _LONGEST and all("!" <= char <= "~" for char in name)
    key = name if is_plain else sha256_hex(name)
    return Routing(dict.fromkeys(body_keys, key), dict.fromkeys(headers, key))
