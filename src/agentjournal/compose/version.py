"""Which version this is, and which SQLite it stands on."""

from __future__ import annotations

from importlib.metadata import version

from agentjournal.storage.sqlite import linked_version

__all__ = ["version_line"]


def version_line() -> str:
    """Say both versions, and where the linked SQLite has the fault that damages stores."""
    sqlite, fault = linked_version()
    note = (
        "" if fault == "fixed" else ", affected by its write-ahead log's reset fault: update apsw"
    )
    return f"agentjournal, version {version('agent-journal')} (SQLite {sqlite}{note})"
