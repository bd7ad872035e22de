"""One span per completion, with the attributes that OpenTelemetry names for generative models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.errors import ExtraMissingError
from agentjournal.system.clock import parse_timestamp

try:
    from opentelemetry.trace import SpanKind, TracerProvider, get_tracer
except ImportError as error:
    raise ExtraMissingError(
        "Spans need opentelemetry-api, which is not installed.",
        next='Run `pip install "agent-journal[otel]"`.',
    ) from error

if TYPE_CHECKING:
    from agentjournal.usage.call import Call

__all__ = ["OpenTelemetrySink", "attributes"]

_SYSTEMS = {
    "openai-chat": "openai",
    "openai-responses": "openai",
    "anthropic": "anthropic",
    "deepseek": "deepseek",
    "gemini": "gcp.gemini",
    "bedrock": "aws.bedrock",
}


class OpenTelemetrySink:
    """Makes a client span below the span that is current when an answer ends."""

    def __init__(self, provider: TracerProvider | None = None) -> None:
        self._tracer = get_tracer("agentjournal.usage", tracer_provider=provider)

    def __call__(self, call: Call) -> None:
        """Make the span of one call, as long as the call was."""
        if not call.usage.is_reported:
            return
        end = int(parse_timestamp(call.at).timestamp() * 1e9)
        span = self._tracer.start_span(
            f"chat {call.model}".strip(),
            kind=SpanKind.CLIENT,
            attributes=attributes(call),
            start_time=end - (call.ms or 0) * 1_000_000,
        )
        span.end(end)


def attributes(call: Call) -> dict[str, str | int]:
    """Give the attributes of one call; what is not known is not among them."""
    usage = call.usage
    named = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": _SYSTEMS.get(usage.dialect or ""),
        "gen_ai.response.model": call.model or None,
        "gen_ai.usage.input_tokens": usage.input_total,
        "gen_ai.usage.cache_read.input_tokens": usage.cache_read,
        "gen_ai.usage.cache_creation.input_tokens": usage.cache_write,
        "gen_ai.usage.output_tokens": usage.output,
        "gen_ai.usage.reasoning.output_tokens": usage.reasoning,
        "agentjournal.component": call.subject.component or None,
        "agentjournal.owner": call.subject.owner,
    }
    return {name: value for name, value in named.items() if value is not None}
