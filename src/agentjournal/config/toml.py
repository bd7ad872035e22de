"""Settings in TOML, refused by name."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from agentjournal.config.setting_file import unusable
from agentjournal.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["parse_toml", "refuse_unknown"]


def parse_toml(path: Path, text: str) -> dict[str, object]:
    """Read the text of that file as TOML.

    Raises:
        ConfigurationError: it is no TOML.
    """
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise unusable(path, f"is no valid TOML ({error})") from error


def refuse_unknown(
    path: Path, keys: Mapping[str, object], known: tuple[str, ...], why: str
) -> None:
    """Refuse the first key that does not belong there.

    Raises:
        ConfigurationError: it names the key, the file, and what may stand there.
    """
    for key in sorted(keys.keys() - set(known)):
        raise ConfigurationError(
            f"The key {key!r} in {path} {why}.",
            next=f"Remove it; known here are: {', '.join(known)}.",
        )
