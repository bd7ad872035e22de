"""What a worker prints: passed on as it comes, kept up to a cap, cut in the middle and counted."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from threading import Thread
from typing import TYPE_CHECKING, BinaryIO, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["KEPT_BYTES", "Capture", "Sink", "pump"]

KEPT_BYTES = 10 * 1024 * 1024
CHUNK = 64 * 1024


class Sink(Protocol):
    """Takes bytes as they come."""

    def __call__(self, chunk: bytes, /) -> object:
        """Take one chunk."""
        ...


@dataclass
class Capture:
    """The first and the last half of `cap` bytes of a stream; `total` counts them all."""

    cap: int = KEPT_BYTES
    total: int = 0
    _head: bytearray = field(default_factory=bytearray)
    _tail: deque[bytes] = field(default_factory=deque)
    _tail_bytes: int = 0

    def take(self, chunk: bytes) -> None:
        """Keep what belongs to the head or the tail."""
        self.total += len(chunk)
        room = max(0, self.cap // 2 - len(self._head))
        self._head += chunk[:room]
        self._keep_last(chunk[room:])

    def _keep_last(self, chunk: bytes) -> None:
        if not chunk:
            return
        self._tail.append(chunk)
        self._tail_bytes += len(chunk)
        while self._tail_bytes - len(self._tail[0]) >= self.cap // 2:
            self._tail_bytes -= len(self._tail.popleft())

    def text(self) -> str:
        """Give what was kept as text; a line of its own counts the bytes that were cut."""
        tail = b"".join(self._tail)[-(self.cap // 2) :]
        cut = self.total - len(self._head) - len(tail)
        middle = f"\n[{cut} bytes cut]\n".encode() if cut else b""
        return (bytes(self._head) + middle + tail).decode("utf-8", "replace")


def pump(stream: BinaryIO, sinks: Sequence[Sink]) -> Thread:
    """Carry a stream to every sink in a thread of its own, until the stream ends."""
    thread = Thread(target=_carry, args=(stream, sinks), daemon=True)
    thread.start()
    return thread


def _carry(stream: BinaryIO, sinks: Sequence[Sink]) -> None:
    with stream:
        while chunk := stream.read1(CHUNK):  # type: ignore[attr-defined] # a buffered pipe has read1
            for sink in sinks:
                sink(chunk)
