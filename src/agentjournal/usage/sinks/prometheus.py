"""Counters for Prometheus; a lane that does not measure its cache gets no series that reads zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.errors import ExtraMissingError
from agentjournal.usage.call import Break

try:
    from prometheus_client import REGISTRY, CollectorRegistry, Counter
except ImportError as error:
    raise ExtraMissingError(
        "Counters for Prometheus need prometheus-client, which is not installed.",
        next='Run `pip install "agent-journal[prometheus]"`.',
    ) from error

if TYPE_CHECKING:
    from agentjournal.usage.call import Call

__all__ = ["PREFIX", "PrometheusSink"]

PREFIX = "agentjournal_llm"
_LABELS = ("component", "model")
_COUNTERS = {
    "calls": "Completions answered.",
    "prompt_tokens": "Tokens of all prompts, cached or not.",
    "measured_prompt_tokens": "Tokens of the prompts whose cached part was measured.",
    "cached_prompt_tokens": "Tokens of prompts that came from the cache.",
    "cache_write_tokens": "Tokens of prompts that were written to the cache.",
    "completion_tokens": "Tokens of answers, reasoning included.",
    "unmeasured_calls": "Completions whose cached part is not known.",
    "violations": "Answers whose counts contradict each other.",
}


class PrometheusSink:
    """Counts calls by component and model.

    The warm share is `rate(cached_prompt_tokens) / rate(measured_prompt_tokens)`, one component at a time.
    `prefix` names the counters; `mills_llm` gives those that older dashboards know.
    """

    def __init__(self, registry: CollectorRegistry = REGISTRY, prefix: str = PREFIX) -> None:
        self._counters = {
            name: Counter(f"{prefix}_{name}", about, _LABELS, registry=registry)
            for name, about in _COUNTERS.items()
        }
        self._breaks = Counter(
            f"{prefix}_prefix_breaks",
            "Requests that rewrote what they should have extended.",
            ("component", "cause"),
            registry=registry,
        )

    def __call__(self, seen: Call | Break) -> None:
        """Count one call, or one broken prefix."""
        if isinstance(seen, Break):
            self._breaks.labels(seen.subject.component, seen.cause).inc()
        else:
            self._count(seen)

    def _count(self, call: Call) -> None:
        """Count one call; only what is known makes a series."""
        usage = call.usage
        self._add(call, "calls", 1)
        if usage.violations:
            self._add(call, "violations", 1)
        if not usage.is_measured:
            self._add(call, "unmeasured_calls", 1)
        counts = {"prompt_tokens": usage.input_total, "completion_tokens": usage.output}
        if usage.is_measured:
            counts["measured_prompt_tokens"] = usage.input_total
            counts["cached_prompt_tokens"] = usage.cache_read
            counts["cache_write_tokens"] = usage.cache_write
        for name, count in counts.items():
            if count is not None and count >= 0:
                self._add(call, name, count)

    def _add(self, call: Call, name: str, count: int) -> None:
        self._counters[name].labels(call.subject.component, call.model).inc(count)
