"""What completions cost, and whether the prefix cache paid: measured, imported, reported."""

from __future__ import annotations

from agentjournal.usage.normalise import normalise
from agentjournal.usage.record import DIALECTS, Dialect, Usage

__all__ = ["DIALECTS", "Dialect", "Usage", "normalise"]
