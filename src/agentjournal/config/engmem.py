"""Which folder holds the engmem documents, by the rules that its other tools follow too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.config.source import absolute, xdg_folder
from agentjournal.config.toml import read_setting_file
from agentjournal.errors import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.config.source import Sources

__all__ = ["find_engmem_store"]


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
    folder = xdg_folder(sources.environment, "XDG_CONFIG_HOME", sources.home / ".config")
    file = folder / "engmem" / "store"
    text = read_setting_file(file, follow=True)
    if text is not None:
        return sources.noted(name, _saved(file, text, sources.home), str(file))
    if file.is_symlink():
        raise _refusal(file, "is a link to a missing file")
    return sources.noted(name, sources.home / "Developer" / "engmem", None)


def _saved(file: Path, text: str, home: Path) -> Path:
    line = text.removesuffix("\n").removesuffix("\r")
    if not line.strip() or "\n" in line or "\r" in line or "\0" in line:
        raise _refusal(file, "must hold exactly one line, a path")
    if not line.startswith(("/", "~")):
        raise _refusal(file, "must hold an absolute path")
    return absolute(line, home, home)


def _refusal(file: Path, what: str) -> ConfigurationError:
    return ConfigurationError(
        f"{file} {what}.", next="Run `engmem store set PATH`, or remove that file."
    )
