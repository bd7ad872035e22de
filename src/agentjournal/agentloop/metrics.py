"""What one turn cost, from the answer's body and from a proxy's headers."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.usage.record import Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["TurnMetrics", "turn_metrics"]

_PREFIX = "x-flexinfer-"
_WHOLE = re.compile(r"[+-]?\d{1,18}", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class TurnMetrics:
    """One turn: `cached_tokens` of None is unmeasured, of 0 a measured zero; the rate is the engine's own.

    A flat `upstream_ms` while `prompt_tokens` grows says that the cache works.
    """

    upstream_ms: int = 0
    cached_tokens: int | None = None
    prompt_tokens: int = 0
    prefix_cache_hit_rate: float | None = None
    finish_reason: str | None = None

    @property
    def prefix_hit_ratio(self) -> float | None:
        """Give the cached share of the prompt, None where it is not known."""
        if self.cached_tokens is None or not 0 <= self.cached_tokens <= self.prompt_tokens:
            return None
        return self.cached_tokens / self.prompt_tokens if self.prompt_tokens else None

    def data(self) -> dict[str, object]:
        """Give the metrics for a program; what is not known is left out."""
        fields: dict[str, object | None] = {
            "upstream_ms": self.upstream_ms,
            "cached_tokens": self.cached_tokens,
            "prompt_tokens": self.prompt_tokens,
            "prefix_hit_ratio": self.prefix_hit_ratio,
            "prefix_cache_hit_rate": self.prefix_cache_hit_rate,
            "finish_reason": self.finish_reason,
        }
        return {name: value for name, value in fields.items() if value is not None}


def turn_metrics(
    headers: Mapping[str, str] | None, usage: Usage | None = None, finish_reason: str | None = None
) -> TurnMetrics:
    """Read one turn: the body's counts come first, a header fills in what it does not say."""
    sent = {name.lower(): value for name, value in (headers or {}).items()}
    body = usage or Usage()
    prompt = body.input_total or _whole(sent, "prompt-tokens") or 0
    cached = body.cache_read
    return TurnMetrics(
        upstream_ms=_whole(sent, "upstream-ms") or 0,
        cached_tokens=cached if cached is not None else _whole(sent, "cached-tokens"),
        prompt_tokens=prompt,
        prefix_cache_hit_rate=_decimal(sent, "prefix-cache-hit-rate"),
        finish_reason=sent.get(f"{_PREFIX}finish-reason") or finish_reason,
    )


def _whole(headers: Mapping[str, str], name: str) -> int | None:
    value = headers.get(f"{_PREFIX}{name}", "")
    return int(value) if _WHOLE.fullmatch(value) else None


def _decimal(headers: Mapping[str, str], name: str) -> float | None:
    value = headers.get(f"{_PREFIX}{name}", "")
    number = float(value) if _DECIMAL.fullmatch(value) else math.nan
    return number if math.isfinite(number) else None
