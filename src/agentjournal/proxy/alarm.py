"""Notices engines that read clearly less than they were sent: a prompt cut without a word."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agentjournal.journal.tokens import HIGHEST_RATIO, TokenLedger

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.usage.request.block import Request

__all__ = ["Alarm", "readable_bytes"]

_LEAST_BYTES = 4_000
_SHARE = (
    0.6  # below this part of the estimate, it is no matter of tokens that are longer than usual
)
_LANES = 256
_UNCOUNTED = ("thinking", "redacted_thinking", "reasoning")  # vendors leave those of old turns out
_OPEN = ("previous_response_id", "conversation", "context_management", "cachedContent")
_MEDIA = (
    "image",
    "image_url",
    "input_image",
    "input_audio",
    "audio",
    "video",
    "document",
    "file",
    "input_file",
    "inlineData",
    "inline_data",
    "fileData",
    "file_data",
)


@dataclass
class Alarm:
    """Estimates the tokens of each prompt by what the same lane reported for others."""

    _ledgers: dict[tuple[str, str], TokenLedger] = field(default_factory=dict)

    def missing(self, lane: tuple[str, str], sent: int, read: int) -> int | None:
        """Give how many tokens were expected where clearly fewer were read than `sent` bytes hold.

        An engine that was never right before is held only to what no tokenizer does.
        """
        ledger = self._ledger(lane)
        ratio = ledger.chars_per_token if ledger.observations else HIGHEST_RATIO
        expected = int(sent / ratio)
        if sent >= _LEAST_BYTES and read < expected * _SHARE:
            return expected
        ledger.calibrate(sent, read)
        return None

    def tokens(self, lane: tuple[str, str], size: int) -> int:
        """Estimate the tokens of so many bytes."""
        return self._ledger(lane).estimate_bytes(size) if size else 0

    def _ledger(self, lane: tuple[str, str]) -> TokenLedger:
        if lane not in self._ledgers and len(self._ledgers) >= _LANES:
            return TokenLedger()
        return self._ledgers.setdefault(lane, TokenLedger())


def readable_bytes(body: Mapping[str, object], request: Request) -> int | None:
    """Count the bytes that become tokens; None where that cannot be told from the body alone."""
    if any(body.get(name) for name in _OPEN):
        return None
    size = 0
    for block in request.blocks:
        value = block.value
        kind = value.get("type") if isinstance(value, dict) else None
        if isinstance(value, dict) and (kind in _MEDIA or not value.keys().isdisjoint(_MEDIA)):
            return None
        if kind in _UNCOUNTED or (isinstance(value, dict) and value.get("defer_loading")):
            continue
        size += block.size
    return size
