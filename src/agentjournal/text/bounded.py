"""Caps in bytes: what is longer is cut, and what was left out is counted."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["clip", "clip_lines", "fit", "size"]

_END = 3  # of the room for a line
_INSIDE = 0b1000_0000  # the two high bits of every byte of a character but its first


def size(text: str) -> int:
    """Count the text's UTF-8 bytes."""
    return len(text.encode(errors="surrogatepass"))


def clip(text: str, cap_bytes: int, mark: str = "…") -> str:
    """Cut the text at a character so that it and the mark stay within the cap.

    Text that fits comes back as it is; where even the mark has no room, it is left away.
    """
    data = text.encode(errors="surrogatepass")
    if len(data) <= cap_bytes:
        return text
    room = cap_bytes - size(mark)
    if room < 0:
        return _head(data, cap_bytes)
    return _head(data, room) + mark


def clip_lines(text: str, cap_bytes: int) -> str:
    """Cut every line of the text that is longer in its middle: its end often says what to do.

    >>> clip_lines("There is no file xxxxxxxxxxxxxxxxxxxxx. Give another.", 45)
    'There is no file xxxxxxxxxx…. Give another.'
    """
    return "\n".join(_clip_middle(line, cap_bytes) for line in text.split("\n"))


def _clip_middle(line: str, cap_bytes: int) -> str:
    data = line.encode(errors="surrogatepass")
    if len(data) <= cap_bytes:
        return line
    room = cap_bytes // _END
    tail = data[size(_head(data, len(data) - room)) :].decode(errors="surrogatepass")
    tail = tail if size(tail) <= room else tail[1:]  # a character on the edge has none
    return clip(line, cap_bytes - size(tail)) + tail


def fit(items: Sequence[str], cap: int, last: Callable[[int], str], sep: str = "\n") -> str:
    """Join whole items, in their order, up to the first that has no room within the cap.

    Where items are left out, `last(count)` says so in the final line, whose bytes are kept free;
    that line alone is clipped where the cap is too small even for it.
    """
    gap = size(sep)
    ends = list(accumulate(size(item) + gap for item in items))  # bytes, the following gap included
    if not ends or ends[-1] - gap <= cap:
        return sep.join(items)
    for kept in range(bisect_right(ends, cap), 0, -1):
        line = last(len(items) - kept)
        if ends[kept - 1] + size(line) <= cap:
            return sep.join([*items[:kept], line])
    return clip(last(len(items)), cap)


def _head(data: bytes, length: int) -> str:
    """Take at most so many bytes, down to the start of a character."""
    length = max(length, 0)
    while 0 < length < len(data) and data[length] & 0b1100_0000 == _INSIDE:
        length -= 1
    return data[:length].decode(errors="surrogatepass")
