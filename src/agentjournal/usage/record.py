"""What one completion read and wrote, in one form for every dialect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

__all__ = ["DIALECTS", "Dialect", "Native", "Usage"]

Dialect = Literal[
    "openai-chat",
    "openai-responses",
    "anthropic",
    "deepseek",
    "gemini",
    "llamacpp",
    "bedrock",
    "cli",
]
DIALECTS: tuple[Dialect, ...] = get_args(Dialect)
Native = Mapping[str, object]


@dataclass(frozen=True, kw_only=True)
class Usage:
    """The tokens of one completion; `None` is unmeasured, `0` is a measured zero.

    `input_total` counts every token of the prompt, cached or not, and `output` includes `reasoning`.
    `cache_write_5m` and `cache_write_1h` split `cache_write` where lifetimes are given. `native` is the
    object that was read. A broken count stands as it came, and `violations` says what is wrong.

    >>> Usage(input_total=1200, cache_read=900).cached_share
    0.75
    """

    input_total: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None
    cache_write_5m: int | None = None
    cache_write_1h: int | None = None
    output: int | None = None
    reasoning: int | None = None
    model: str | None = None
    dialect: Dialect | None = None
    native: Native | None = field(default=None, compare=False)
    violations: tuple[str, ...] = ()

    @property
    def is_reported(self) -> bool:
        """Say whether there was a count at all."""
        return any(
            count is not None
            for count in (self.input_total, self.cache_read, self.cache_write, self.output)
        )

    @property
    def is_measured(self) -> bool:
        """Say whether the cached part is known, so that there is a share to speak of."""
        return self.cached_share is not None

    @property
    def cached_share(self) -> float | None:
        """Give the part of the prompt that came from the cache, in [0, 1], or None."""
        if self.violations or self.cache_read is None or not self.input_total:
            return None
        return self.cache_read / self.input_total

    @property
    def uncached(self) -> int | None:
        """Count the tokens that were neither read from the cache nor written to it."""
        if self.violations or self.cache_read is None or self.input_total is None:
            return None
        return self.input_total - self.cache_read - (self.cache_write or 0)
