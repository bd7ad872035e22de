"""An estimate of tokens from bytes that corrects itself against what engines report."""

from __future__ import annotations

from threading import Lock

from agentjournal.journal.wire import byte_length

DEFAULT_RATIO = 4.0
LOWEST_RATIO = 1.5
HIGHEST_RATIO = 8.0
_WEIGHT = 0.3


class TokenLedger:
    """Estimates tokens by bytes per token; safe for threads.

    `chars_per_token` is clamped to 1.5 to 8; 0 means the default of 4.

    >>> from agentjournal import TokenLedger
    >>> TokenLedger().estimate("four")
    2
    """

    def __init__(self, chars_per_token: float = DEFAULT_RATIO) -> None:
        self._ratio = _clamped(chars_per_token)
        self._observations = 0
        self._lock = Lock()

    @property
    def chars_per_token(self) -> float:
        """Give the present ratio, in bytes of UTF-8 per token."""
        return self._ratio

    @property
    def observations(self) -> int:
        """Count the samples taken in since construction; a snapshot does not keep this."""
        return self._observations

    def estimate(self, text: str) -> int:
        """Estimate the tokens of a text; never 0."""
        return self.estimate_bytes(byte_length(text))

    def estimate_bytes(self, count: int) -> int:
        """Estimate the tokens of a text of that many bytes; never 0."""
        return int(count / self._ratio) + 1

    def calibrate(self, chars: int, prompt_tokens: int) -> None:
        """Move the ratio towards one measured prompt: its bytes and the reported tokens.

        Outside of 1.5 to 8 bytes per token it is a mistake of measurement: ignored, not clamped.
        """
        if chars <= 0 or prompt_tokens <= 0:
            return
        observed = chars / prompt_tokens
        if LOWEST_RATIO <= observed <= HIGHEST_RATIO:
            with self._lock:
                self._ratio += _WEIGHT * (observed - self._ratio)
                self._observations += 1


def _clamped(ratio: float) -> float:
    if ratio == 0:
        return DEFAULT_RATIO
    if not ratio >= LOWEST_RATIO:  # negated so that NaN goes here too
        return LOWEST_RATIO
    return min(float(ratio), HIGHEST_RATIO)
