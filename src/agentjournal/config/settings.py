"""Every setting, and where its value comes from."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agentjournal.config.engmem import find_engmem_store
from agentjournal.config.project import SLUG, find_project_file
from agentjournal.config.source import bad_value, cache_folder, xdg_folder
from agentjournal.config.user_file import read_sources
from agentjournal.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from agentjournal.config.project import ProjectFile
    from agentjournal.config.source import Sources

__all__ = ["Settings", "load_settings"]

_ACTOR = re.compile(r"[A-Za-z0-9._:@-]{1,64}", re.ASCII)
_TOKEN = re.compile(r"[!-~]{16,256}", re.ASCII)
_URL = re.compile(r"https?://[!-~]{1,2000}", re.ASCII)
_SCHEMA = re.compile(r"[a-z_][a-z0-9_]{0,62}", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All settings; `origins` says for each name which flag, variable or file it came from.

    `database` is an absolute path or a PostgreSQL URL. `project_root` is the folder of the
    project's file, `project_plan` a path relative to it.
    """

    database: str = field(repr=False)
    data_dir: Path
    cache_dir: Path
    config_file: Path
    engmem_store: Path
    project_file: Path | None
    project_slug: str | None
    project_id: str | None
    project_plan: str | None
    project_root: Path | None
    schema: str
    actor: str
    attempt_token: str | None = field(repr=False)
    lease_seconds: int
    heartbeat_seconds: int
    max_attempts: int
    max_contracts_missing: int
    max_crashes: int
    timeout_seconds: int
    busy_wait_seconds: int
    brief_bytes: int
    proxy_upstream: str | None
    proxy_token: str | None = field(repr=False)
    allow_network_fs: bool
    origins: Mapping[str, str]


def load_settings(  # noqa: PLR0913 - all that a setting may depend on
    *,
    environment: Mapping[str, str],
    cwd: Path,
    home: Path,
    flags: Mapping[str, str | None],
    login: str,
    platform: str = sys.platform,
) -> Settings:
    """Find each setting: flag, `AGENTJOURNAL_*`, project file, user's file, default, in this order.

    Flags stand under their names without dashes (`database`, `store`). A blank value counts as
    unset. The project's file gives slug, id and plan only.

    Raises:
        ConfigurationError: a value or key is wrong; it names key, place and remedy.
    """
    sources = read_sources(flags=flags, environment=environment, cwd=cwd, home=home)
    data_dir = sources.path("data_dir", _data_folder(environment, home, platform))
    project = find_project_file(cwd, home)
    origin = str(project.path) if project else None
    return Settings(
        data_dir=data_dir,
        cache_dir=sources.path("cache_dir", cache_folder(environment, home, platform)),
        database=sources.location("database", data_dir / "log.db"),
        config_file=sources.config_file,
        engmem_store=find_engmem_store(sources),
        project_file=project.path if project else None,
        project_root=project.path.parent if project else None,
        project_slug=_slug(sources, project),
        project_id=sources.noted("project_id", project.id if project else None, origin),
        project_plan=sources.noted("project_plan", project.plan if project else None, origin),
        schema=sources.text("schema", "agentjournal", _SCHEMA, "a plain lower-case name"),
        actor=_actor(sources, login),
        attempt_token=environment.get("AGENTJOURNAL_ATTEMPT", "").strip() or None,
        lease_seconds=sources.whole("lease_seconds", 900, least=1),
        heartbeat_seconds=sources.whole("heartbeat_seconds", 60, least=1),
        max_attempts=sources.whole("max_attempts", 3, least=1),
        max_contracts_missing=sources.whole("max_contracts_missing", 2, least=1),
        max_crashes=sources.whole("max_crashes", 2, least=1),
        timeout_seconds=sources.whole("timeout_seconds", 1800, least=1),
        busy_wait_seconds=sources.whole("busy_wait_seconds", 10, least=0),
        brief_bytes=sources.whole("brief_bytes", 20_000, least=14_000),  # what a brief has to hold
        proxy_upstream=_optional(sources, "proxy_upstream", _URL, "a URL of http or https"),
        proxy_token=_optional(sources, "proxy_token", _TOKEN, "16 to 256 visible ASCII characters"),
        allow_network_fs=sources.flag("allow_network_fs", default=False),
        origins=sources.origins,
    )


def _slug(sources: Sources, project: ProjectFile | None) -> str | None:
    """Give the project: named by the flag or a worker's environment, else by the project's file."""
    found = sources.find("project")
    if found is None:
        origin = str(project.path) if project else None
        return sources.noted("project_slug", project.slug if project else None, origin)
    slug = str(found.value).strip()
    if not SLUG.fullmatch(slug):
        raise bad_value("project", found, "up to 64 of a-z and 0-9, joined by single '-'")
    return sources.noted("project_slug", slug, found.origin)


def _actor(sources: Sources, login: str) -> str:
    """Give who writes: as set, in a worker `worker-<slot>`, else the login name made to fit."""
    rule = "1 to 64 letters, digits or . _ : @ -"
    if sources.find("actor") is None and sources.find("attempt") is not None:
        slot = sources.find("slot")
        name = f"worker-{str(slot.value).strip()}" if slot else "worker-1"
        if slot and not _ACTOR.fullmatch(name):
            raise bad_value("slot", slot, "up to 57 letters, digits or . _ : @ -")
        return sources.noted("actor", name, "AGENTJOURNAL_ATTEMPT")
    fitted = re.sub(r"[^A-Za-z0-9._:@-]", "-", login)[:64] or "unknown"
    return sources.text("actor", fitted, _ACTOR, rule)


def _optional(sources: Sources, name: str, rule: re.Pattern[str], said: str) -> str | None:
    """Give a text that follows the rule, or None; what was given instead is not shown: it may be secret."""
    found = sources.find(name)
    if found is None:
        return sources.noted(name, None, None)
    value = found.value.strip() if isinstance(found.value, str) else ""
    if not rule.fullmatch(value):
        raise ConfigurationError(
            f"The setting {name!r} from {found.origin} must be {said}.",
            next=f"Correct it in {found.origin}.",
        )
    return sources.noted(name, value, found.origin)


def _data_folder(environment: Mapping[str, str], home: Path, platform: str) -> Path:
    """Give the folder for data: XDG's where set, else the platform's own."""
    mac = home / "Library" / "Application Support"
    usual = mac if platform == "darwin" else home / ".local" / "share"
    return xdg_folder(environment, "XDG_DATA_HOME", usual) / "agentjournal"
