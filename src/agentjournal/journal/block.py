"""What is compared when a prompt is checked: its blocks, each with the place where it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from agentjournal.errors import Fault, InputError
from agentjournal.journal.sent import stable_blocks

if TYPE_CHECKING:
    from agentjournal.journal.segment import Segment

_EPOCH = re.compile(rb"^\[Epochs? -?\d[^\]\n]{0,40}\]", re.MULTILINE)
_LONGEST_LOOK_BACK = 64 * 1024


@dataclass(frozen=True, kw_only=True)
class Block:
    """A run of bytes: where it stands, what it is, and whether a later prompt must have it equal."""

    data: bytes
    where: str = ""
    form: str = ""
    is_frozen: bool = False


@runtime_checkable
class _HasSegments(Protocol):
    def segments(self) -> Sequence[Segment]: ...


def blocks_of(value: object) -> list[Block]:
    """Read text, bytes, a prompt, a brief or a request body; there is always at least one block.

    Raises:
        InputError: it is something else.
    """
    if isinstance(value, bytes):
        return [Block(data=value)]
    if isinstance(value, str):
        return [Block(data=_bytes(value))]
    if isinstance(value, Mapping):
        return _body_blocks(value) or [Block(data=b"", where="the body")]
    if isinstance(value, _HasSegments):
        return _segment_blocks(value.segments()) or [Block(data=b"")]
    prefix = getattr(value, "cacheable_prefix", None)
    if isinstance(prefix, str):
        return [Block(data=_bytes(prefix))]
    fault = Fault(
        field="prompt",
        rule="text, bytes, a Prompt, a brief or a request body",
        got=type(value).__name__,
        remedy="Of a list of messages give the whole body that is sent, model and tools too.",
    )
    raise InputError("This is no prompt.", faults=(fault,))


def turn_at(data: bytes, at: int) -> str:
    """Name the epoch that the byte belongs to; nothing above the first one, or far from it."""
    start = max(0, at - _LONGEST_LOOK_BACK)
    epochs = [found.group() for found in _EPOCH.finditer(data, start, at + 1)]
    return epochs[-1].decode() if epochs else ""


def _segment_blocks(segments: Sequence[Segment]) -> list[Block]:
    return [
        Block(
            data=_bytes(segment.text),
            where=f"segment {place} ({segment.kind})",
            is_frozen=segment.is_closed,
        )
        for place, segment in enumerate(segments)
    ]


def _body_blocks(body: Mapping[str, object]) -> list[Block]:
    return [
        Block(
            data=_bytes(block.text),
            where=block.path,
            form=block.form,
            is_frozen=block.is_marked or not block.is_text,
        )
        for block in stable_blocks(body)
    ]


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogatepass")
