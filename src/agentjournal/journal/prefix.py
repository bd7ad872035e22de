"""Does a later prompt extend an earlier one? The assertion that keeps a prefix cache warm."""

from __future__ import annotations

from typing import Protocol

from agentjournal.errors import PrefixBroken

_WINDOW = 60
_ESCAPES = {
    "\a": r"\a",
    "\b": r"\b",
    "\f": r"\f",
    "\n": r"\n",
    "\r": r"\r",
    "\t": r"\t",
    "\v": r"\v",
    '"': r"\"",
    "\\": r"\\",
}


class HasPrefix(Protocol):
    """Anything with a cacheable prefix: a prompt, a brief."""

    @property
    def cacheable_prefix(self) -> str:
        """Give what stands above the boundary."""
        ...


Prefixed = str | bytes | HasPrefix


def first_divergence(earlier: Prefixed, later: Prefixed) -> int:
    """Give the first byte where the later one does not continue the earlier one, or -1."""
    return _divergence(_bytes(earlier), _bytes(later))


def is_cache_safe(earlier: Prefixed, later: Prefixed) -> bool:
    """Say whether the later one equals or extends the earlier one, so that its cache holds."""
    return _bytes(later).startswith(_bytes(earlier))


def check_prefix_extension(earlier: Prefixed, later: Prefixed) -> None:
    """Assert that the later one extends the earlier one; of prompts and briefs, above the boundary.

    >>> from agentjournal import check_prefix_extension
    >>> check_prefix_extension("You are", "You are here")

    Raises:
        PrefixBroken: it did not grow, shrank, or differs; says where, and whether the cache holds.
    """
    before, after = _bytes(earlier), _bytes(later)
    at = _divergence(before, after)
    if at < 0 and len(after) > len(before):
        return
    raise PrefixBroken(
        _message(before, after, at),
        at=at if 0 <= at < len(after) else None,
        cache_safe=at < 0,
        grew=len(after) > len(before),
    )


def _message(before: bytes, after: bytes, at: int) -> str:
    if before == after:
        return f"render did not grow (both {len(before)} bytes)"
    if len(after) < len(before):
        return (
            f"render shrank from {len(before)} to {len(after)} bytes; "
            "only a consolidation may rewrite the prefix"
        )
    return (
        f"prefix diverges at byte {at}:\n"
        f"  before: ...{_quoted(before, at)}\n"
        f"  after:  ...{_quoted(after, at)}\n"
        "the stable prefix must not change between consolidations; "
        "move whatever changed into the ephemeral tail"
    )


def _bytes(value: Prefixed) -> bytes:
    if isinstance(value, bytes):
        return value
    text = value if isinstance(value, str) else value.cacheable_prefix
    return text.encode(errors="surrogatepass")


def _divergence(before: bytes, after: bytes) -> int:
    if after.startswith(before):
        return -1
    # Halve the span that holds the first difference: slices compare at the speed of memory.
    low, high = 0, min(len(before), len(after))
    if before[:high] == after[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if before[low:middle] == after[low:middle]:
            low = middle
        else:
            high = middle
    return low


def _quoted(text: bytes, at: int) -> str:
    window = text[max(0, at - _WINDOW) : at + _WINDOW]
    return '"' + "".join(map(_escaped, window.decode(errors="surrogateescape"))) + '"'


def _escaped(char: str) -> str:
    """Escape one character as the reference does; a byte that is no UTF-8 came as a surrogate."""
    code = ord(char)
    if char in _ESCAPES:
        return _ESCAPES[char]
    if 0xDC80 <= code <= 0xDCFF:  # noqa: PLR2004 - where surrogateescape puts bytes
        return f"\\x{code - 0xDC00:02x}"
    if char.isprintable():
        return char
    if char.isascii():
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004 - the first plane
