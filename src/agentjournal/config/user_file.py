"""The user's own file of settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.config.setting_file import read_setting_file
from agentjournal.config.source import Sources, user_config_file
from agentjournal.config.toml import parse_toml, refuse_unknown
from agentjournal.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["USER_KEYS", "read_sources"]

USER_KEYS = (
    "actor",
    "allow_network_fs",
    "brief_bytes",
    "busy_wait_seconds",
    "cache_dir",
    "data_dir",
    "database",
    "heartbeat_seconds",
    "lease_seconds",
    "max_attempts",
    "max_contracts_missing",
    "max_crashes",
    "proxy_token",
    "proxy_upstream",
    "schema",
    "timeout_seconds",
)


def read_sources(
    *,
    flags: Mapping[str, str | None],
    environment: Mapping[str, str],
    cwd: Path,
    home: Path,
) -> Sources:
    """Read the user's file and put the sources together.

    Raises:
        ConfigurationError: the user's file is unreadable, no TOML, or holds an unknown key.
    """
    path, is_named = user_config_file(environment, cwd, home)
    text = read_setting_file(path, follow=True)
    if text is None and is_named:
        raise ConfigurationError(
            f"There is no {path}, which AGENTJOURNAL_CONFIG names.",
            next="Write that file, or unset AGENTJOURNAL_CONFIG.",
        )
    user = parse_toml(path, text or "")
    refuse_unknown(path, user, USER_KEYS, "is unknown")
    return Sources(
        flags=flags,
        environment=environment,
        user=user,
        config_file=path,
        cwd=cwd,
        home=home,
        origins={},
    )
