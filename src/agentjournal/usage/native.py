"""The counts of each dialect, read from its own object under the names that vendors send."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.usage.count import Counts, added, inner, preferred

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agentjournal.usage.record import Dialect

__all__ = ["READERS", "Reading"]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a dialect's object says, before it is checked; `fresh` is an input without the cached part."""

    total: int | None = None
    fresh: int | None = None
    read: int | None = None
    write: int | None = None
    write_5m: int | None = None
    write_1h: int | None = None
    output: int | None = None
    reasoning: int | None = None

    @property
    def input_total(self) -> int | None:
        """Give the whole prompt: as reported, or the fresh part with what the cache took part in."""
        if self.total is not None or self.fresh is None:
            return self.total
        return added(self.fresh, self.read, self.write)


def native_object(body: Mapping[str, object], dialect: Dialect) -> Mapping[str, object]:
    """Give the object that holds the counts, wherever this dialect keeps it."""
    return _OBJECTS[dialect](body)


def _chat(usage: Counts) -> Reading:
    """Read chat completions, also where a proxy sends Anthropic's keys beside them: one total counts."""
    return Reading(
        total=usage.first(("prompt_tokens",), ("input_tokens",)),
        read=preferred(
            usage.one("input_tokens_details", "cached_tokens"),
            usage.one("prompt_tokens_details", "cached_tokens"),
            usage.one("prompt_cache_hit_tokens"),
            usage.one("cache_read_input_tokens"),
            usage.one("cached_tokens"),
            usage.one("cached_input_tokens"),
        ),
        write=preferred(
            usage.one("input_tokens_details", "cache_write_tokens"),
            usage.one("prompt_tokens_details", "cache_write_tokens"),
            usage.one("cache_creation_input_tokens"),
            usage.one("cache_write_input_tokens"),
        ),
        output=usage.first(("completion_tokens",), ("output_tokens",)),
        reasoning=usage.first(
            ("completion_tokens_details", "reasoning_tokens"),
            ("output_tokens_details", "reasoning_tokens"),
            ("reasoning_output_tokens",),
        ),
    )


def _responses(usage: Counts) -> Reading:
    reading = _chat(usage)
    return Reading(
        total=usage.first(("input_tokens",), ("prompt_tokens",)),
        read=reading.read,
        write=reading.write,
        output=usage.first(("output_tokens",), ("completion_tokens",)),
        reasoning=reading.reasoning,
    )


def _deepseek(usage: Counts) -> Reading:
    """Read DeepSeek; where only hits and misses are given, they are the whole prompt."""
    reading = _chat(usage)
    hit, miss = usage.one("prompt_cache_hit_tokens"), usage.one("prompt_cache_miss_tokens")
    both = added(hit, miss) if hit is not None and miss is not None else None
    return Reading(
        total=reading.total if reading.total is not None else both,
        read=hit if hit is not None else reading.read,
        write=reading.write,
        output=reading.output,
        reasoning=reading.reasoning,
    )


def _anthropic(usage: Counts) -> Reading:
    short = usage.one("cache_creation", "ephemeral_5m_input_tokens")
    long = usage.one("cache_creation", "ephemeral_1h_input_tokens")
    written = usage.one("cache_creation_input_tokens")
    return Reading(
        fresh=usage.one("input_tokens"),
        read=usage.one("cache_read_input_tokens"),
        write=written if written is not None else added(short, long),
        write_5m=short,
        write_1h=long,
        output=usage.one("output_tokens"),
        reasoning=usage.one("output_tokens_details", "thinking_tokens"),
    )


def _gemini(usage: Counts) -> Reading:
    thoughts = usage.one("thoughtsTokenCount")
    return Reading(
        total=usage.one("promptTokenCount"),
        read=usage.one("cachedContentTokenCount"),
        output=added(usage.one("candidatesTokenCount"), thoughts),
        reasoning=thoughts,
    )


def _llamacpp(usage: Counts) -> Reading:
    """Read llama.cpp; an older one says only what it processed: what is left was reused."""
    fresh, read = usage.one("prompt_n"), usage.one("cache_n")
    total = usage.first(("prompt_tokens",), ("tokens_evaluated",))
    if read is None and fresh is not None and total is not None and total > fresh:
        read = total - fresh
    return Reading(
        total=None if fresh is not None and read is not None else total,
        fresh=fresh,
        read=read if read is not None else usage.one("prompt_tokens_details", "cached_tokens"),
        output=usage.first(("predicted_n",), ("completion_tokens",), ("tokens_predicted",)),
    )


def _bedrock(usage: Counts) -> Reading:
    return Reading(
        fresh=usage.one("inputTokens"),
        read=usage.one("cacheReadInputTokens"),
        write=usage.one("cacheWriteInputTokens"),
        output=usage.one("outputTokens"),
    )


def _cli(usage: Counts) -> Reading:
    return Reading(
        fresh=usage.one("input_tokens"),
        read=usage.one("cache_read_tokens"),
        write=usage.one("cache_creation_tokens"),
        output=usage.one("output_tokens"),
    )


def _usage_object(body: Mapping[str, object]) -> Mapping[str, object]:
    return inner(body, "usage") or inner(body, "response", "usage")


def _llamacpp_object(body: Mapping[str, object]) -> Mapping[str, object]:
    evaluated = {
        name: body[name] for name in ("tokens_evaluated", "tokens_predicted") if name in body
    }
    return {**evaluated, **inner(body, "usage"), **inner(body, "timings")}


def _cli_object(body: Mapping[str, object]) -> Mapping[str, object]:
    return inner(body, "token_usage") or body


_OBJECTS: Mapping[Dialect, Callable[[Mapping[str, object]], Mapping[str, object]]] = {
    "openai-chat": _usage_object,
    "openai-responses": _usage_object,
    "anthropic": _usage_object,
    "deepseek": _usage_object,
    "gemini": lambda body: inner(body, "usageMetadata"),
    "llamacpp": _llamacpp_object,
    "bedrock": lambda body: inner(body, "usage") or inner(body, "metadata", "usage"),
    "cli": _cli_object,
}

READERS: Mapping[Dialect, Callable[[Counts], Reading]] = {
    "openai-chat": _chat,
    "openai-responses": _responses,
    "anthropic": _anthropic,
    "deepseek": _deepseek,
    "gemini": _gemini,
    "llamacpp": _llamacpp,
    "bedrock": _bedrock,
    "cli": _cli,
}
