"""Where a project stands, within a cap of bytes."""

from __future__ import annotations

from agentjournal.execution.state.read import get_project_state, get_project_state_data

__all__ = ["get_project_state", "get_project_state_data"]
