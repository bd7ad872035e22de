"""What one task's next worker must know, within a cap of bytes."""

from __future__ import annotations

from agentjournal.execution.context.read import get_task_context, get_task_context_data

__all__ = ["get_task_context", "get_task_context_data"]
