"""What was done, step by step or one step with its log; and all that was said, for the audit."""

from __future__ import annotations

from agentjournal.execution.history.audit import get_audit, get_audit_data
from agentjournal.execution.history.pages import get_history, get_history_data
from agentjournal.execution.history.single import get_step, get_step_data
from agentjournal.execution.history.step_id import full_step_id

__all__ = [
    "full_step_id",
    "get_audit",
    "get_audit_data",
    "get_history",
    "get_history_data",
    "get_step",
    "get_step_data",
]
