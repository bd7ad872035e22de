"""Does a later prompt extend an earlier one? The assertion that keeps a prefix cache warm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from agentjournal.errors import PrefixBroken
from agentjournal.journal.block import Block, blocks_of, turn_at

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


Prefixed = str | bytes | HasPrefix | Mapping[str, object]


def first_divergence(earlier: Prefixed, later: Prefixed) -> int:
    """Give the first byte where the later one does not continue the earlier one, or -1."""
    before, after = _comparable(earlier, later)
    return _divergence(_joined(before), _joined(after))


def is_cache_safe(earlier: Prefixed, later: Prefixed) -> bool:
    """Say whether the later one equals or extends the earlier one, so that its cache holds.

    Of prompts and of request bodies as sent, what stands above the boundary counts, block by block:
    only the last one may have grown, and only where it is open and carries no cache mark.
    """
    return _first_changed(*_comparable(earlier, later)) is None


def check_prefix_extension(earlier: Prefixed, later: Prefixed) -> None:
    """Assert that the later one extends the earlier one: text, bytes, prompts or bodies as sent.

    Of prompts, briefs and bodies, what stands above the boundary is compared, block by block.

    >>> from agentjournal import check_prefix_extension
    >>> check_prefix_extension("You are", "You are here")

    Raises:
        PrefixBroken: it did not grow, shrank, or differs; says where, and whether the cache holds.
    """
    earlier_blocks, later_blocks = _comparable(earlier, later)
    changed = _first_changed(earlier_blocks, later_blocks)
    before, after = _joined(earlier_blocks), _joined(later_blocks)
    grew = len(after) > len(before)
    if changed is None and grew:
        return
    at = _divergence(before, after)
    where = "" if changed is None else _where(earlier_blocks, changed, at)
    raise PrefixBroken(
        _message(before, after, at, where if earlier_blocks[0].where else ""),
        at=at if 0 <= at < len(after) else None,
        cache_safe=changed is None,
        grew=grew,
        where=where,
    )


def _first_changed(earlier: list[Block], later: list[Block]) -> int | None:
    """Give the place of the first block that the later one does not keep, or None."""
    last = len(earlier) - 1
    for place, block in enumerate(earlier):
        if place >= len(later):
            return place
        now = later[place]
        if block.where != now.where or block.form != now.form:
            return place
        may_grow = place == last and not block.is_frozen
        if not (now.data.startswith(block.data) if may_grow else now.data == block.data):
            return place
    return None


def _where(blocks: list[Block], place: int, at: int) -> str:
    """Name the block, the byte in it, and the turn that the byte belongs to."""
    start = sum(len(block.data) for block in blocks[:place])
    block = blocks[place]
    inside = min(max(at - start, 0), len(block.data)) if at >= 0 else len(block.data)
    byte = f"byte {inside} of it" if block.where else f"byte {inside}"
    turn = turn_at(_joined(blocks[: place + 1]), start + inside)
    return ", ".join(part for part in (block.where, byte, turn and f"in {turn}") if part)


def _message(before: bytes, after: bytes, at: int, where: str) -> str:
    place = f"\nat {where}" if where else ""
    if before == after and not where:
        return f"render did not grow (both {len(before)} bytes)"
    if len(after) < len(before):
        return (
            f"render shrank from {len(before)} to {len(after)} bytes; "
            f"only a consolidation may rewrite the prefix{place}"
        )
    if at < 0:
        return (
            "the bytes extend, but not block by block: an API that matches blocks finds nothing; "
            f"close a block before it carries a cache mark{place}"
        )
    return (
        f"prefix diverges at byte {at}:\n"
        f"  before: ...{_quoted(before, at)}\n"
        f"  after:  ...{_quoted(after, at)}\n"
        "the stable prefix must not change between consolidations; "
        f"move whatever changed into the ephemeral tail{place}"
    )


def _comparable(earlier: Prefixed, later: Prefixed) -> tuple[list[Block], list[Block]]:
    """Read both; where one is plain text, the other is taken as text too."""
    before, after = blocks_of(earlier), blocks_of(later)
    if before[0].where and after[0].where:
        return before, after
    return [Block(data=_joined(before))], [Block(data=_joined(after))]


def _joined(blocks: list[Block]) -> bytes:
    return b"".join(block.data for block in blocks)


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
