"""Plans: read from what people write, checked, put in order."""

from __future__ import annotations

from agentjournal.execution.plan.model import Plan, PlannedTask, PlanReport

__all__ = ["Plan", "PlanReport", "PlannedTask"]
