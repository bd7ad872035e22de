"""The Grafana dashboard for our counters, as it comes with the package."""

from __future__ import annotations

from agentjournal.storage.statement import package_folder

__all__ = ["dashboard"]


def dashboard() -> str:
    """Give the dashboard's JSON, ready to be imported; its data source is asked for there."""
    return (package_folder(__package__) / "grafana.json").read_text(encoding="utf-8").rstrip("\n")
