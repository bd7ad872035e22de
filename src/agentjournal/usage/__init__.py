"""What completions cost, and whether the prefix cache paid: measured, imported, reported."""

from __future__ import annotations

from agentjournal.usage.normalise import normalise
from agentjournal.usage.observer import Observer, Sink
from agentjournal.usage.record import DIALECTS, Dialect, Usage
from agentjournal.usage.subject import Subject, component
from agentjournal.usage.wire.attach import observe
from agentjournal.usage.wire.transport import AsyncObservedTransport, ObservedTransport

__all__ = [
    "DIALECTS",
    "AsyncObservedTransport",
    "Dialect",
    "ObservedTransport",
    "Observer",
    "Sink",
    "Subject",
    "Usage",
    "component",
    "normalise",
    "observe",
]
