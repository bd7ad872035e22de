"""Settings: where each value comes from, and what a project file may say."""

from __future__ import annotations

from agentjournal.config.flag import parse_flag
from agentjournal.config.project import write_project_file
from agentjournal.config.settings import Settings, load_settings

__all__ = ["Settings", "load_settings", "parse_flag", "write_project_file"]
