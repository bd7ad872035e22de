"""The proxy's own counters, and the page that shows them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest

from agentjournal.usage.sinks.prometheus import PrometheusSink

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agentjournal.usage.call import Break, Call

__all__ = ["Figures", "engine_figures"]

_MODELS = 200
_REST = "(other)"
_ENGINE = re.compile(
    r"^(vllm:prefix_cache_queries|vllm:prefix_cache_hits|sglang:cache_hit_rate)(?:_total)?"
    r"(?:\{[^}\n]{0,1000}\})?[ \t]+(\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?)\b",
    re.MULTILINE,
)


class Figures:
    """Counts what passed; no series is named by an owner, and only so many by a model."""

    def __init__(self, dropped: Callable[[], float]) -> None:
        self.registry = CollectorRegistry()
        self._usage = PrometheusSink(self.registry)
        self._models: set[str] = set()
        self.has_unmeasured = False
        self._answers = self._counter(
            "requests", "Requests by the class of their status.", "status"
        )
        self._unwatched = self._counter("unwatched", "Completions that were not compared.", "why")
        Gauge(
            "agentjournal_proxy_dropped_measurements",
            "Measurements that were not stored: they came faster than the file took them.",
            registry=self.registry,
        ).set_function(dropped)
        self._engine = Gauge(
            "agentjournal_engine_prefix_cache",
            "What the engine says of its prefix cache itself.",
            ["name"],
            registry=self.registry,
        )

    def _counter(self, name: str, about: str, *labels: str) -> Counter:
        return Counter(f"agentjournal_proxy_{name}", about, labels, registry=self.registry)

    def call(self, call: Call) -> None:
        """Count a completion."""
        self.has_unmeasured = self.has_unmeasured or not call.usage.is_measured
        self._usage(replace(call, model=self._named(call.model)))

    def answer(self, status: int) -> None:
        """Count an answer, of the engine or of ours."""
        self._answers.labels(f"{status // 100}xx").inc()

    def broken(self, found: Break) -> None:
        """Count a broken prefix, or a prompt that was cut."""
        self._usage(found)

    def unwatched(self, why: str) -> None:
        """Count a completion that was not compared."""
        self._unwatched.labels(why).inc()

    def page(self, engine: Mapping[str, float]) -> bytes:
        """Give the page, with what the engine said of itself."""
        for name, value in engine.items():
            self._engine.labels(name).set(value)
        return generate_latest(self.registry)

    def _named(self, model: str) -> str:
        """Keep whoever makes up models from making up series."""
        if model in self._models or len(self._models) < _MODELS:
            self._models.add(model)
            return model
        return _REST


def engine_figures(page: str) -> dict[str, float]:
    """Read what vLLM and SGLang say of their prefix cache, added up over their models and ranks."""
    found: dict[str, list[float]] = {}
    for name, value in _ENGINE.findall(page):
        found.setdefault(name, []).append(float(value))
    return {
        name: sum(values) / len(values) if name.endswith("rate") else sum(values)
        for name, values in found.items()
    }
