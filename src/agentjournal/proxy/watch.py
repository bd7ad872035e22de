"""Keeps the last request of each conversation, and says where the next one breaks its prefix."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from agentjournal.usage.request.difference import compare
from agentjournal.usage.request.overlap import OVERLAP, overlap

if TYPE_CHECKING:
    from collections.abc import Hashable

    from agentjournal.usage.request.block import Request
    from agentjournal.usage.request.difference import Difference

__all__ = ["Found", "Watch"]

_CONVERSATIONS = 4  # of one owner: the main one, and what runs beside it


class Found(NamedTuple):
    """Where a turn broke its prefix; turns count from 1 within the conversation."""

    difference: Difference
    turn: int


@dataclass
class _Conversation:
    """One conversation as its last request left it; beyond the room for texts, only their digests."""

    request: Request
    size: int
    turns: int = 1
    is_digested: bool = False


class Watch:
    """Compares each request with the last one of its conversation; safe for threads.

    Texts are held in memory only, `room` bytes of them at most: those that were idle for longest are
    replaced by their digests, which name the block but not the byte. Of more than `owners` the one that
    was idle for longest is forgotten. `key` keeps the digests from being guessed.
    """

    def __init__(self, key: bytes, *, room: int = 64 * 1024 * 1024, owners: int = 4096) -> None:
        self._key = key
        self._room = room
        self._owners = owners
        self._kept: OrderedDict[Hashable, list[_Conversation]] = OrderedDict()
        self._used = 0
        self._lock = Lock()

    def look(self, owner: Hashable, request: Request, size: int) -> Found | None:
        """Take in a request of `size` bytes and say where it breaks what it should extend."""
        with self._lock:
            kept = self._kept.setdefault(owner, [])
            self._kept.move_to_end(owner)
            home = self._home(kept, request)
            found = None
            if home is None:
                kept.insert(0, _Conversation(request, size))
                for gone in kept[_CONVERSATIONS:]:
                    self._used -= gone.size
                del kept[_CONVERSATIONS:]
            else:
                kept.remove(home)
                kept.insert(0, home)
                found = self._next_turn(home, request, size)
            self._used += size
            self._make_room()
            return found

    def _next_turn(self, home: _Conversation, request: Request, size: int) -> Found | None:
        later = self._digested(request) if home.is_digested else request
        difference = compare(home.request, later)
        if difference is not None and home.is_digested:
            difference = replace(difference, at=None, before="", after="")
        self._used -= home.size
        home.request, home.size, home.is_digested = request, size, False
        home.turns += 1
        return Found(difference, home.turns) if difference else None

    def _home(self, kept: list[_Conversation], request: Request) -> _Conversation | None:
        """Give the conversation that shares most with the request, where that is enough."""
        digested = self._digested(request) if any(each.is_digested for each in kept) else None
        best, most = None, (OVERLAP, -1)
        for each in kept:
            later = digested if each.is_digested and digested else request
            if not _is_alike(each.request, later):
                continue
            shared = (overlap(each.request, later), _common(each.request, later))
            if shared > most:
                best, most = each, shared
        return best

    def _digested(self, request: Request) -> Request:
        """Give the request with a digest in the place of each block."""
        blocks = (replace(each, value=self._digest(each.text)) for each in request.blocks)
        return replace(request, blocks=tuple(blocks))

    def _digest(self, text: str) -> str:
        data = text.encode(errors="surrogatepass")
        return blake2b(data, digest_size=16, key=self._key).hexdigest()

    def _make_room(self) -> None:
        while len(self._kept) > self._owners:
            _, gone = self._kept.popitem(last=False)
            self._used -= sum(each.size for each in gone)
        for kept in self._kept.values():
            for each in reversed(kept):
                if self._used <= self._room:
                    return
                if not each.is_digested:
                    each.request, each.is_digested = self._digested(each.request), True
                    self._used -= each.size
                    each.size = 0


def _is_alike(earlier: Request, later: Request) -> bool:
    """Say whether two may be turns of one conversation: a helper call has its own model and tools."""
    if earlier.model == later.model:
        return True
    tools = [
        [block.text for block in request.blocks if block.kind == "tool"]
        for request in (earlier, later)
    ]
    return tools[0] == tools[1]


def _common(earlier: Request, later: Request) -> int:
    """Count the blocks that both begin with."""
    count = 0
    for old, new in zip(earlier.blocks, later.blocks, strict=False):
        if old.identity != new.identity:
            break
        count += 1
    return count
