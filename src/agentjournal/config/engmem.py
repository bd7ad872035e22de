"""Which folder holds the engmem documents, and how sessions are counted, by rules that tools share."""

from __future__ import annotations

import os.path

from agentjournal.config.setting_file import read_setting_file
from agentjournal.config.source import absolute, cache_folder, xdg_folder
from agentjournal.errors import ConfigurationError
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Literal

    from agentjournal.config.source import Sources

    Mode = Literal["daily", "research"]

__all__ = [
    "MODES",
    "engmem_places",
    "find_engmem_store",
    "mode_file",
    "saved_engmem_mode",
    "saved_engmem_store",
    "store_file",
]

MODES: tuple[Mode, ...] = ("daily", "research")

_SHOWN = 80  # characters of a wrong value
_STORE_REMEDY = "run `engmem store set PATH` to rewrite it, or delete it to use the default"
_MODE_REMEDY = "run `engmem mode set daily|research` to rewrite it, or delete it for daily"


def engmem_places(sources: Sources, platform: str) -> tuple[Path, Path]:
    """Find the store, and the folder for what can be made again from it.

    Raises:
        ConfigurationError: a setting that says so is wrong; no other is looked at.
    """
    cache = cache_folder(sources.environment, sources.home, platform)
    return find_engmem_store(sources), sources.path("cache_dir", cache)


def find_engmem_store(sources: Sources) -> Path:
    """Find the store: `--store`, `ENGMEM_HOME`, the saved choice, else `~/Developer/engmem`.

    Raises:
        ConfigurationError: the saved choice is not one line with an absolute path.
    """
    name = "engmem_store"
    found = sources.find(name, flag="store", variable="ENGMEM_HOME")
    if found is not None:
        path = absolute(str(found.value), found.base, sources.home)
        return sources.noted(name, path, found.origin)
    file = store_file(sources.environment, sources.home)
    saved = saved_engmem_store(file, sources.home)
    if saved is not None:
        return sources.noted(name, saved, str(file))
    return sources.noted(name, sources.home / "Developer" / "engmem", None)


def store_file(environment: Mapping[str, str], home: Path) -> Path:
    """Give the file that holds the saved choice of a store."""
    return xdg_folder(environment, "XDG_CONFIG_HOME", home / ".config") / "engmem" / "store"


def mode_file(environment: Mapping[str, str], home: Path) -> Path:
    """Give the file that holds the saved mode of sessions."""
    return store_file(environment, home).with_name("mode")


def saved_engmem_store(file: Path, home: Path) -> Path | None:
    """Read the saved choice of a store; None where there is none.

    Raises:
        ConfigurationError: it is not one line with an absolute path.
    """
    line = _line(file, "the store path", _STORE_REMEDY)
    if line is None:
        return None
    if not line.startswith(("/", "~")):
        what = f"holds {line[:_SHOWN]!r}, which is not an absolute path"
        raise _refusal(file, what, _STORE_REMEDY)
    return absolute(line, home, home)


def saved_engmem_mode(file: Path) -> Mode | None:
    """Read the saved mode; None where there is none.

    Raises:
        ConfigurationError: it is not one line with one of the modes.
    """
    line = _line(file, "the mode", _MODE_REMEDY)
    if line is None:
        return None
    mode = next((each for each in MODES if each == line.strip().casefold()), None)
    if mode is None:
        what = f"holds {line[:_SHOWN]!r}, not one of {', '.join(MODES)}"
        raise _refusal(file, what, _MODE_REMEDY)
    return mode


def _line(file: Path, holds: str, remedy: str) -> str | None:
    """Read the one line of a setting's file; None where there is no such file."""
    text = read_setting_file(file, follow=True)
    if text is None:
        if os.path.islink(file):  # noqa: PTH114 - a search loads no Path
            raise _refusal(file, "is a link to a missing file", remedy)
        return None
    line = text.removesuffix("\n").removesuffix("\r")
    if not line.strip():
        raise _refusal(file, "is empty", remedy)
    if "\n" in line or "\r" in line:
        raise _refusal(file, f"must hold exactly one line, {holds}", remedy)
    if "\0" in line:
        raise _refusal(file, "holds a NUL character", remedy)
    return line


def _refusal(file: Path, what: str, remedy: str) -> ConfigurationError:
    return ConfigurationError(f"{file} {what} — {remedy}")
