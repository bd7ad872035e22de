"""Where a text holds a private key: the whole block, not only its first line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["private_keys"]

_LONGEST = 16 * 1024
_HEADERS = 1024  # what may stand between the first line and the key itself
_BEGIN = re.compile(
    r"-{4,5} ?BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}|PuTTY-User-Key-File-\d:"
)
_END = re.compile(
    r"-{4,5} ?END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}|Private-MAC: *[0-9a-f]+"
)
_GAP = r"(?:[\s>|#*]|\\[nrt]){0,40}"  # line ends, also as an escape or behind a quotation's mark
_MATERIAL = re.compile(
    rf"(?:{_GAP}[A-Za-z0-9+/]{{20,100}})+(?:{_GAP}[A-Za-z0-9+/]{{1,100}}={{1,2}})?"
)
_KEY = re.compile(r"[A-Za-z0-9+/]{20}")


def private_keys(text: str) -> Iterator[tuple[int, int]]:
    """Give start and end of each block, up to its last line; a key that was cut off counts too.

    A first line without anything that looks like a key behind it is only talk about keys.
    """
    after = 0
    for begin in _BEGIN.finditer(text):
        if begin.start() < after:
            continue
        key = _KEY.search(text, begin.end(), begin.end() + _HEADERS)
        if key is None:
            continue
        end = _END.search(text, begin.end(), begin.end() + _LONGEST)
        if end and end.start() > key.start():
            after = end.end()
        elif material := _MATERIAL.match(text, begin.end(), begin.end() + _LONGEST):
            after = material.end()
        else:
            continue
        yield begin.start(), after
