"""Says whether a plan's file is still what was registered."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentjournal.execution.observed import Observed
    from agentjournal.storage.database import Value

__all__ = ["drift_lines", "is_drifted"]


def is_drifted(observed: Observed, sha256: Value) -> bool:
    """Say whether the file has other bytes than those registered; unknown reads as no."""
    return observed.plan_sha256 not in (None, sha256)


def drift_lines(revision: Value, *, is_drifted: bool) -> list[str]:
    """Give the line that every read begins with whose plan drifted; the stored copy goes on."""
    return [f"plan drifted since revision {revision!s}"] if is_drifted else []
