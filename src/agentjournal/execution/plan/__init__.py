"""Plans: read from what people write, checked, put in order."""

from __future__ import annotations

from agentjournal.execution.plan.add_ids import with_ids
from agentjournal.execution.plan.drift import folder_sha256, plan_sha256
from agentjournal.execution.plan.folder import read_plan_folder
from agentjournal.execution.plan.model import Plan, PlannedTask, PlanReport
from agentjournal.execution.plan.order import Ordered, waits
from agentjournal.execution.plan.read import read_plan

__all__ = [
    "Ordered",
    "Plan",
    "PlanReport",
    "PlannedTask",
    "folder_sha256",
    "plan_sha256",
    "read_plan",
    "read_plan_folder",
    "waits",
    "with_ids",
]
