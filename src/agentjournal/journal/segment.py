"""Parts of a prompt that an API can cache as content blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SegmentKind = Literal["preamble", "memory", "lived"]

# Smaller ones are not worth a block: no API keeps a prefix of fewer than some hundred tokens.
SEGMENT_BYTES = 1024


@dataclass(frozen=True)
class Segment:
    """A run of bytes of the stable prefix.

    A closed one never changes between consolidations; an open one, always the last of its journal,
    may still grow at its end or, while the journal is empty, be replaced.
    """

    kind: SegmentKind
    text: str
    is_closed: bool
