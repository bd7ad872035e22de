"""Picks a few members out of a JSON document that passes in chunks, without keeping the document."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["MemberPicker"]

_STRUCTURE = re.compile(rb'["{}\[\],:]')
_NESTING = re.compile(rb'["{}\[\]]')  # all that counts elsewhere than among the members themselves
_STRING = re.compile(
    rb'(?:[^"\\]++|\\.)*+', re.DOTALL
)  # up to the end, or to an escape that is cut
_MEMBER_BYTES = 256 * 1024
_KEY_BYTES = 64


class MemberPicker:
    """Keeps the text of the wanted members of a document's object, or of each object of its list.

    A later member of the same name replaces an earlier one; one larger than 256 KiB is passed over.
    """

    def __init__(self, wanted: Collection[bytes]) -> None:
        self._wanted = frozenset(wanted)
        self.found: dict[bytes, bytes] = {}
        self._depth = 0
        self._base = 1  # the depth of the objects that are looked at: 2 inside a list
        self._is_in_string = False
        self._is_escaped = False
        self._key = b""
        self._text: bytearray | None = None  # a key or value that is being kept

    def feed(self, chunk: bytes) -> None:
        """Take in the next bytes."""
        at = 0
        while at < len(chunk):
            at = self._string(chunk, at) if self._is_in_string else self._structure(chunk, at)

    def _string(self, chunk: bytes, at: int) -> int:
        """Walk on past the end of the string, or of the chunk."""
        if self._is_escaped:
            self._is_escaped = False
            self._keep(chunk[at : at + 1])
            return at + 1
        stop = _STRING.match(chunk, at)
        end = stop.end() if stop else at
        if end < len(chunk):
            self._is_escaped = chunk[end : end + 1] == b"\\"
            self._is_in_string = self._is_escaped
            end += 1
        self._keep(chunk[at:end])
        return end

    def _structure(self, chunk: bytes, at: int) -> int:
        """Walk on past the next mark of structure."""
        marks = _STRUCTURE if self._depth == self._base else _NESTING
        match = marks.search(chunk, at)
        if match is None:
            self._keep(chunk[at:])
            return len(chunk)
        mark = match.group()
        if self._depth == self._base and mark in b",}":
            self._keep(chunk[at : match.start()])
            self._close_member()
        elif self._depth == self._base and mark == b":":
            self._open_member()
        else:
            if mark == b'"' and self._depth == self._base and not self._key:
                self._text = bytearray()
            self._keep(chunk[at : match.end()])
        self._move(mark)
        return match.end()

    def _move(self, mark: bytes) -> None:
        if mark == b'"':
            self._is_in_string = True
        elif mark in b"{[":
            if mark == b"[" and self._depth == 0:
                self._base = 2
            self._depth += 1
        elif mark in b"}]":
            self._depth -= 1

    def _open_member(self) -> None:
        """Begin a value: what was kept so far is its key, still in quotation marks."""
        self._key = bytes(self._text or b"").strip().strip(b'"')[:_KEY_BYTES] or b"?"
        self._text = bytearray() if self._key in self._wanted else None

    def _close_member(self) -> None:
        if self._text is not None and self._key in self._wanted:
            self.found[self._key] = bytes(self._text).strip()
        self._key, self._text = b"", None

    def _keep(self, part: bytes) -> None:
        if self._text is None:
            return
        self._text += part
        if len(self._text) > _MEMBER_BYTES:
            self._text = None
