"""Which dialect a body is in, by the names that only this dialect uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.usage.count import inner

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.usage.record import Dialect

__all__ = ["dialect_of"]

_ANTHROPIC = {
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "cache_creation",
    "server_tool_use",
}
_ANTHROPIC_TYPES = ("message", "message_start", "message_delta")
_RESPONSES = {"input_tokens_details", "output_tokens_details", "cached_input_tokens"}
_CLI = {"cache_creation_tokens", "cache_read_tokens"}


def dialect_of(body: Mapping[str, object]) -> Dialect | None:
    """Name the dialect of one body or event, or None where nothing tells.

    Chat's keys beside Anthropic's are a proxy's chat answer, and a total is there: it wins.
    """
    if inner(body, "usageMetadata"):
        return "gemini"
    if inner(body, "token_usage") or _CLI & body.keys():
        return "cli"
    timings = inner(body, "timings")
    if "prompt_n" in timings or "cache_n" in timings:
        return "llamacpp"
    if inner(body, "response", "usage") or str(body.get("type", "")).startswith("response."):
        return "openai-responses"
    if inner(body, "metadata", "usage"):
        return "bedrock"
    return _by_usage(body, inner(body, "usage") or inner(body, "message", "usage"))


def _by_usage(body: Mapping[str, object], usage: Mapping[str, object]) -> Dialect | None:
    names = usage.keys()
    if "inputTokens" in names or "outputTokens" in names:
        return "bedrock"
    if "prompt_cache_hit_tokens" in names or "prompt_cache_miss_tokens" in names:
        return "deepseek"
    if "prompt_tokens" in names or "completion_tokens" in names or "prompt_tokens_details" in names:
        return "openai-chat"
    if body.get("type") in _ANTHROPIC_TYPES or _ANTHROPIC & names:
        return "anthropic"
    if body.get("object") == "response" or _RESPONSES & names:
        return "openai-responses"
    return "anthropic" if "input_tokens" in names else None
