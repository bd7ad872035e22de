"""`agentjournal config`: each setting, its value, and where it comes from."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from agentjournal.cli.session import with_reading_session

if TYPE_CHECKING:
    from agentjournal.cli.session import Session
    from agentjournal.config.settings import Settings

__all__ = ["config"]

SECRET = frozenset({"attempt_token", "proxy_token"})
URLS = frozenset({"database", "proxy_upstream"})
INTERNAL = frozenset({"origins"})


@click.command(epilog="\b\nExample:\n  agentjournal config --json")
@with_reading_session
def config(session: Session) -> None:
    """Show each setting with its value and origin; secrets are not shown."""
    settings = session.services.settings
    rows = [
        {
            "name": field.name,
            "value": _shown(settings, field.name),
            "origin": settings.origins.get(field.name, "default"),
        }
        for field in fields(settings)
        if field.name not in INTERNAL
    ]
    width = max(len(row["name"]) for row in rows)
    text = "\n".join(f"{row['name']:{width}}  {row['value']}  ({row['origin']})" for row in rows)
    session.output.result(text, rows)


def _shown(settings: Settings, name: str) -> str:
    value = getattr(settings, name)
    if value is None:
        return "-"
    if name in SECRET:
        return "[set]"
    return without_password(str(value)) if name in URLS else str(value)


def without_password(location: str) -> str:
    """Give a database's location without the password that a URL may hold."""
    parts = urlsplit(location)
    if not parts.password:
        return location
    return location.replace(f":{parts.password}@", ":***@", 1)
